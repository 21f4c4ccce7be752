import { expect, test } from 'vitest';
import { rewritten } from '../../../../compiler/capabilities/shell/programs/rewriters.ts';

const of = (line: string) => {
  const [name = '', ...args] = line.split(' ');
  return rewritten(name, args);
};

test.each([
  'x --write a',
  'x --fix a',
  'x --in-place a',
  'x --inplace=1 a',
  'x --apply a',
  'x --auto-correct-all a',
  'x -i a',
  'x -i.bak a',
  'prettier -w a',
  'gofmt -lw a',
  'codespell --write-changes a',
  'yq -i a',
  'yq -Pi a',
  'rubocop -a a',
  'rubocop -A a',
  'standardrb --fix-unsafely a',
  'ktlint -F a',
  'sg -U a',
  'tidy -m a',
  'xmlstarlet -L a',
  'msgmerge -U a',
  'ruby -pi a',
  'black a',
  'isort a',
  'rustfmt a',
  'mogrify a',
  'ed a',
])('a program that is told to, or does nothing else, writes the files that it is given: %s', (line) => {
  expect(of(line)).toEqual(['a']);
});

test('a verb by which a program writes is told among its files, as the words of a command do not say which it is', () => {
  expect(of('ruff format a')).toEqual(['format', 'a']);
  expect(of('terraform fmt a')).toEqual(['fmt', 'a']);
  expect(of('sqlfluff fix a')).toEqual(['fix', 'a']);
  expect(of('ruff check a')).toEqual([]);
});

test.each([
  'x a',
  'x',
  'black',
  'x --write=false a',
  'grep -i a',
  'ssh -i a',
  'prettier a',
  'prettier --check a',
  'yq a',
  'rubocop a',
  'black --check a',
  'black --diff a',
  'black - a',
  'isort -c a',
  'isort -d a',
  'rustfmt --emit=stdout a',
  'terraform fmt -check a',
])('one that only looks writes none: %s', (line) => {
  expect(of(line)).toEqual([]);
});

test('the value of an option is no file, and the manifest of a project means its folder', () => {
  expect(of('black --config c -l 80 a')).toEqual(['a']);
  expect(of('black -c a')).toEqual([]);
  expect(of('cargo fmt --manifest-path d/Cargo.toml')).toEqual(['fmt', 'd/Cargo.toml/..']);
});

test('stars that a formatter expands itself are globs, and one at the beginning means the whole folder', () => {
  expect(of('prettier --write src/**/*.ts')).toEqual(['src/\uE002.ts']);
  expect(of('prettier --write src/{a,b}.t?')).toEqual(['src/\uE002.t\uE002']);
  expect(of('prettier --write **/*.ts')).toEqual(['.']);
  expect(of('prettier --write ./**')).toEqual(['.']);
});
