import { describe, expect, test } from 'vitest';
import { meantProgram, verbsOf } from '../../../compiler/capabilities/effects/meant-program.ts';

const meant = (...words: readonly string[]) => meantProgram({ name: words[0] ?? '', words });

describe('the program that is meant', () => {
  test.each<[readonly string[], string, readonly string[]]>([
    [['python3', '-m', 'pip', 'install', 'x'], 'pip', ['install', 'x']],
    [['py', '-Im', 'pip'], 'pip', []],
    [['python3', '-m'], '', []],
    [['python3', 'x.py', 'pip'], 'python3', ['x.py', 'pip']],
    [['corepack', 'pnpm@9', 'add', 'x'], 'pnpm', ['add', 'x']],
    [['corepack', 'yarn'], 'yarn', []],
    [['corepack', 'enable', 'yarn'], 'corepack', ['enable', 'yarn']],
    [['npx', 'npm'], 'npx', ['npm']],
    [['NPM.CMD', 'install'], 'npm', ['install']],
  ])('%j is %s with %j', (words, program, args) => {
    expect(meant(...words)).toEqual({ program, args });
  });
});

describe('the verbs of a program', () => {
  test('are its words without options, with and without what an option may take', () => {
    expect(verbsOf(['-C', 'd', 'add', '--save', 'x'])).toEqual(['d add x', 'add x', 'add']);
    expect(verbsOf(['--dir=d', 'add', '+x'])).toEqual(['add']);
    expect(verbsOf([])).toEqual(['']);
  });

  test('leave out the values of four options at most', () => {
    const options = [1, 2, 3, 4, 5].flatMap((it) => ['-o', `${it}`]);
    expect(verbsOf([...options, 'add'])).toEqual(['1 2 3 4 5 add', '2 3 4 5 add', '3 4 5 add', '4 5 add', '5 add']);
  });

  test('are eight words at most', () => {
    expect(verbsOf('a b c d e f g h i'.split(' '))).toEqual(['a b c d e f g h']);
  });
});
