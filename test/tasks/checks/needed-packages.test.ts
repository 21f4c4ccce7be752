import { expect, test } from 'vitest';
import { namesNpmPackages, namesPythonPackages } from '../../../compiler/tasks/checks/needed-packages.ts';

test('a package.json names packages by its dependencies, those of development too', () => {
  const of = (it: unknown) => namesNpmPackages('package.json', JSON.stringify(it));
  expect([of({ dependencies: { a: '1' } }), of({ devDependencies: { a: '1' } })]).toEqual([true, true]);
  const none = [{}, { dependencies: {} }, { peerDependencies: { a: '1' } }, { dependencies: 'abc' }, null, 1];
  expect(none.map(of)).toEqual(none.map(() => false));
  expect(namesNpmPackages('package.json', '{')).toBe(false);
});

test.each([
  ['pyproject.toml', '[project]\ndependencies = ["a"]', true],
  ['pyproject.toml', '[project.optional-dependencies]\nx = ["a"]', true],
  ['pyproject.toml', '[dependency-groups]\nx = ["a"]', true],
  ['pyproject.toml', '[tool.poetry.dependencies]\na = "1"', true],
  ['pyproject.toml', '[project]\ndependencies = []', false],
  ['pyproject.toml', '[tool.other.dependencies]\na = "1"', false],
  ['pyproject.toml', 'install_requires = ["a"]', false],
  ['pyproject.toml', 'broken', false],
  ['setup.py', 'setup(install_requires=["a"])', true],
  ['setup.cfg', 'install_requires = a', true],
  ['setup.py', 'setup()', false],
])('%s with %j names packages: %s', (name, text, names) => {
  expect(namesPythonPackages(name, text)).toBe(names);
});
