import { expect, test } from 'vitest';
import { matchesPath } from '../../../compiler/capabilities/paths/patterns.ts';
import { ECOSYSTEMS, namesNpmPackages, namesPythonPackages } from '../../../compiler/tasks/checks/ecosystems.ts';

function ecosystem(name: string) {
  const found = ECOSYSTEMS.find((it) => it.name === name);
  if (!found) throw new Error(`no ecosystem ${name}`);
  return found;
}

test.each([
  ['cargo', '.cargo/config .cargo/config.toml rust-toolchain rust-toolchain.toml'],
  [
    'npm',
    '.npmrc vite.config.ts vitest.config.js jest.config.cjs babel.config.json playwright.config.ts cypress.config.js ava.config.js vitest.workspace.ts karma.conf.js .mocharc.yml .babelrc .babelrc.json .swcrc .taprc .nycrc .c8rc.json bunfig.toml src/setupTests.ts spec/support/jasmine.json spec/support/jasmine.mjs wdio.conf.ts wdio.local.conf.js web-test-runner.config.mjs wtr.config.js rstest.config.ts nightwatch.conf.js codecept.conf.ts jest.preset.js',
  ],
  [
    'pytest',
    'pytest.ini .pytest.ini pytest.toml .pytest.toml tox.ini setup.cfg conftest.py pytest.py _pytest.py pluggy.py iniconfig.py sitecustomize.py usercustomize.py pytest/__init__.py _pytest/__init__.py pluggy/__init__.py iniconfig/__init__.py sitecustomize/__init__.py usercustomize/__init__.py',
  ],
  ['go', 'go.work go.env'],
])('an agent does not decide how it is judged by %s, at the top or in a folder', (name, files) => {
  const { steering } = ecosystem(name);
  const paths = files.split(' ').flatMap((it) => [it, `a/b/${it}`]);
  expect(paths.filter((it) => !matchesPath(it, steering))).toEqual([]);
  for (const it of [
    'src/main.rs',
    'a.js',
    'a.py',
    'a.go',
    'README.md',
    'pytest.md',
    'config.toml',
    'spec/support/x.js',
    'src/wdio.ts',
  ])
    expect(matchesPath(it, steering)).toBe(false);
});

test.each([
  ['cargo', 'Cargo.toml', 'Cargo.lock'],
  ['npm', 'package.json', 'package-lock.json npm-shrinkwrap.json'],
  [
    'pytest',
    'pyproject.toml pytest.ini setup.py setup.cfg tox.ini requirements.txt',
    'requirements.txt uv.lock poetry.lock',
  ],
  ['go', 'go.mod', 'go.sum vendor/modules.txt'],
])('a project of %s is told by %s, and its packages by %s', (name, manifests, locks) => {
  expect(ecosystem(name)).toMatchObject({ manifests: manifests.split(' '), locks: locks.split(' ') });
});

test.each([
  [
    'cargo',
    'test result: ok. 3 passed; 0 failed\n  test result: ok. 9 passed\ntest result: FAILED. 4 passed; 1 failed',
    7,
  ],
  ['cargo', 'test result: ok. 3 passed; 0 failed\ntest result: ok. 4 passed; 1 ignored', 7],
  ['npm', '# tests 9\n# pass 8\n# fail 1', 8],
  ['npm', 'ℹ tests 9\nℹ pass 9', 9],
  ['npm', ' Test Files  2 passed (2)\n      Tests  12 passed (12)', 12],
  ['npm', '\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m12 passed\u001b[39m\u001b[22m', 12],
  ['npm', 'Tests:       1 failed, 2 skipped, 5 passed, 8 total', 5],
  ['npm', '  14 passing (20ms)', 14],
  ['npm', 'nothing', null],
  ['pytest', '3 passed, 1 skipped in 0.1s', 3],
  ['go', '--- PASS: TestA (0.00s)\n    --- PASS: TestA/b (0.00s)\nok  \tx\t0.1s', 2],
  ['go', '?   \tx\t[no test files]', 0],
  ['cargo', 'nothing', null],
  ['npm', '# pass 1\n# pass 8', 8],
  ['npm', '# pass 8\n  3 passing', 8],
  ['npm', '      Tests  1 failed | 2 passed (3)', 2],
  ['npm', 'Tests:       2 passed, 2 total', 2],
  ['pytest', '\u001b[32m2 passed\u001b[0m, then 3 passed in 1s', 3],
  ['go', '--- PASS: A\n--- FAIL: B\nFAIL\tx', 1],
  ['go', 'nothing', null],
])('%s says in %j how many tests passed: %s', (name, output, count) => {
  expect(ecosystem(name).count(output)).toBe(count);
});

test('a missing pytest is told from a test that fails', () => {
  const { missing } = ecosystem('pytest');
  expect(missing?.test('/usr/bin/python3: No module named pytest')).toBe(true);
  expect(missing?.test('E   ModuleNotFoundError: No module named pytest_x')).toBe(false);
});

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
