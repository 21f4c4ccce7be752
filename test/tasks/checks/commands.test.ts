import { describe, expect, test } from 'vitest';
import { exit, judge, type Given } from '../../support/work.ts';

const CARGO = { 'Cargo.toml': '[workspace]', 'crates/a/Cargo.toml': '[package]\nname = "a"', 'src/x.rs': '' };
const NPM = { 'package.json': '{"scripts":{"test":"node --test"}}', 'package-lock.json': '{}', 'x.test.js': '' };

const cargoCheck = (given: Given) => judge('verifies::quality_cargo_check_green', given);
const tests = (given: Given) => judge('verifies::quality_tests_green', given);

describe('quality::cargo-check-green', () => {
  test('the whole workspace is checked, or the crates that the task names; locked, if there is a lock file', async () => {
    expect(await cargoCheck({ before: CARGO })).toMatchObject({ result: 'pass', ran: ['cargo check --workspace'] });
    const task = { 'cargo-check-crates': ['a'] };
    const locked = { ...CARGO, 'Cargo.lock': '' };
    const ran = ['cargo fetch --locked', 'cargo check -p a --locked'];
    expect(await cargoCheck({ before: locked, task })).toMatchObject({ result: 'pass', ran });
  });

  test('a crate that no workspace has is neither checked nor tested', async () => {
    const checked = await cargoCheck({ before: CARGO, task: { 'cargo-check-crates': ['other'] } });
    const tested = await tests({ before: CARGO, task: { 'cargo-test-crates': ['other'] } });
    expect([checked.result, tested.result, checked.ran, tested.ran]).toEqual(['unknown', 'unknown', [], []]);
  });

  test('a workspace below a folder is found, and each of several is checked', async () => {
    const before = { '_primitives/_rust/Cargo.toml': '', '_primitives/_rust/a/Cargo.toml': '', 'tools/Cargo.toml': '' };
    const ran = ['_primitives/_rust: cargo check --workspace', 'tools: cargo check --workspace'];
    expect((await cargoCheck({ before })).ran).toEqual(ran);
  });

  test('a failure has the wording of the specification, and the last five lines', async () => {
    const stderr = ['one', 'two', 'three', 'four', '', 'five', 'six', ''].join('\n');
    expect(await cargoCheck({ before: CARGO, ends: () => exit(101, 'out', stderr) })).toMatchObject({
      result: 'fail',
      reason: 'cargo check --workspace FAILED — agent-local green ≠ integration green',
      detail: 'two\nthree\nfour\nfive\nsix',
    });
  });

  test('a failure that says nothing on stderr shows the end of what it printed', async () => {
    const stdout = ['one', 'two', 'three', 'four', 'five', 'six', ' '].join('\n');
    const { detail } = await cargoCheck({ before: CARGO, ends: () => exit(101, stdout, ' \n') });
    expect(detail).toBe('two\nthree\nfour\nfive\nsix');
  });

  test('a named crate is checked in the workspace in which it lies, and the other ones are left alone', async () => {
    const before = {
      'one/Cargo.toml': '[package]\nname = "a"',
      'one/b/Cargo.toml': '[package]\nname = "b"',
      'one-more/Cargo.toml': '[package]\nname = "c"',
      'broken/Cargo.toml': '[package',
    };
    const of = async (...crates: string[]) =>
      (await cargoCheck({ before, task: { 'cargo-check-crates': crates } })).ran;
    expect(await of('a')).toEqual(['one: cargo check -p a']);
    expect(await of('b', 'c')).toEqual(['one: cargo check -p b', 'one-more: cargo check -p c']);
  });

  test('a missing cargo, and a crate that is nowhere, cannot be judged', async () => {
    const missing = await cargoCheck({ before: CARGO, ends: () => ({ end: 'not_started', why: 'ENOENT' }) });
    expect(missing).toMatchObject({ result: 'unknown', reason: 'cargo invocation failed', detail: 'ENOENT' });
    const task = { 'cargo-check-crates': ['b'] };
    expect(await cargoCheck({ before: CARGO, task })).toMatchObject({ result: 'unknown', detail: 'b', ran: [] });
  });

  test('a tree without a manifest has nothing to compile, unless the agent took it away', async () => {
    expect((await cargoCheck({ before: { x: '' } })).result).toBe('not_applicable');
    const gone = { 'Cargo.toml': null, 'crates/a/Cargo.toml': null };
    expect((await cargoCheck({ before: CARGO, after: gone })).result).toBe('fail');
  });

  test('one that hangs, prints without end or is killed fails', async () => {
    const printed = { stdout: '', stderr: '' };
    const ends = [{ end: 'too_long', seconds: 9 }, { end: 'too_loud' }, { end: 'killed', signal: 'SIGKILL' }] as const;
    const results = await Promise.all(
      ends.map((it) => cargoCheck({ before: CARGO, ends: () => ({ ...it, ...printed }) })),
    );
    expect(results.map((it) => it.result)).toEqual(['fail', 'fail', 'fail']);
  });

  test('no-warnings builds with -D warnings', async () => {
    const flags: (string | undefined)[] = [];
    const ends: Given['ends'] = (_, { env }) => {
      flags.push(env['RUSTFLAGS']);
      return exit(0);
    };
    const { ran } = await judge('verifies::quality_no_warnings', { before: CARGO, ends });
    expect([ran, flags]).toEqual([['cargo build --workspace'], ['-D warnings']]);
  });
});

describe('quality::tests-green', () => {
  test('each project of the tree is tested with its own command', async () => {
    const before = {
      ...CARGO,
      ...NPM,
      'go/go.mod': '',
      'py/pyproject.toml': '',
      'py/test_x.py': '',
      'py/requirements.txt': '',
    };
    const { ran, result } = await tests({ before });
    expect(ran).toEqual([
      'cargo test --workspace',
      'npm ci --ignore-scripts',
      'npm rebuild',
      'npm test',
      'py: python3 -m venv --system-site-packages .venv',
      'py: .venv/bin/python3 -m pip install --requirement requirements.txt',
      'py: .venv/bin/python3 -m pytest -q -p no:cacheprovider',
      'go: go test -v ./...',
    ]);
    expect(result).toBe('pass');
  });

  test('what a lock file installed is what tests run with', async () => {
    const pytest = '-m pytest -q -p no:cacheprovider';
    const python = (lock: string) => tests({ before: { 'pyproject.toml': '', 'test_x.py': '', [lock]: '' } });
    expect((await python('uv.lock')).ran).toEqual(['uv sync --frozen', `.venv/bin/python3 ${pytest}`]);
    expect((await python('poetry.lock')).ran).toEqual(['poetry install', `.venv/bin/python3 ${pytest}`]);
    expect((await python('x')).ran).toEqual([`python3 ${pytest}`]);
    const go = { 'go.mod': '', 'go.sum': '' };
    expect((await tests({ before: go })).ran).toEqual(['go mod download', 'go test -v ./...']);
    expect((await tests({ before: { ...go, 'vendor/modules.txt': '' } })).ran).toEqual(['go test -v ./...']);
  });

  test('a module of Go below another is tested too; what others wrote, and what tests read, is not', async () => {
    const before = { 'go.mod': '', 'sub/go.mod': '', 'sub/vendor/x/package.json': NPM['package.json'] };
    const read = { 'testdata/go.mod': '', 'node_modules/x/package.json': NPM['package.json'] };
    expect((await tests({ before: { ...before, ...read } })).ran).toEqual([
      'go test -v ./...',
      'sub: go test -v ./...',
    ]);
  });

  test('tests that fail because nothing was installed are not the agent’s fault', async () => {
    const failing = (before: Record<string, string>, stderr = 'not found') =>
      tests({ before, ends: () => exit(1, '', stderr) });
    const npm = (more: object) => ({ 'package.json': JSON.stringify({ scripts: { test: 'vitest' }, ...more }) });
    expect((await failing(npm({}))).result).toBe('fail');
    expect(await failing(npm({ devDependencies: { vitest: '4' } }))).toMatchObject({
      result: 'unknown',
      ran: ['npm test'],
    });
    const python = (toml: string) => ({ 'test_x.py': '', 'pyproject.toml': toml });
    expect((await failing(python(''))).result).toBe('fail');
    expect((await failing(python('[project]\ndependencies = []'))).result).toBe('fail');
    expect((await failing(python('[project]\ndependencies = ["six"]'))).result).toBe('unknown');
    expect((await failing({ 'test_x.py': '', 'setup.py': 'setup(install_requires=["six"])' })).result).toBe('unknown');
    expect((await failing(python(''), '/usr/bin/python3: No module named pytest')).result).toBe('unknown');
  });

  test('with crates in the task, only these are tested', async () => {
    const { ran } = await tests({ before: { ...CARGO, ...NPM }, task: { 'cargo-test-crates': ['a'] } });
    expect(ran).toEqual(['cargo test -p a']);
  });

  test('fewer tests than the task asks for fail; a number that nobody tells cannot be judged', async () => {
    const given = { before: { ...NPM, 'package-lock.json': '{}' }, task: { 'test-count-min': 44 } };
    const withCount = (n: string) => tests({ ...given, ends: (it) => exit(0, it === 'npm test' ? n : '') });
    expect((await withCount('# pass 44')).result).toBe('pass');
    expect(await withCount('# pass 43')).toMatchObject({
      result: 'fail',
      reason: '43 tests passed; the task asks for at least 44',
    });
    expect((await withCount('all fine')).result).toBe('unknown');
  });

  test('a tree that does not say how it is tested cannot be judged', async () => {
    expect((await tests({ before: { 'README.md': '' } })).result).toBe('unknown');
    const none = { 'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' };
    expect(await tests({ before: none })).toMatchObject({ result: 'unknown', ran: [] });
    expect((await tests({ before: { 'docs/requirements.txt': 'mkdocs' } })).ran).toEqual([]);
  });

  test.each<[string, Record<string, string | null>]>([
    ['the test script', { 'package.json': '{"scripts":{"test":"true"}}' }],
    ['what runs before it', { 'package.json': '{"scripts":{"test":"node --test","pretest":"rm *.test.js"}}' }],
    ['no test script', { 'package.json': '{}' }],
    ['broken JSON', { 'package.json': '{' }],
    ['the shell of scripts', { '.npmrc': 'script-shell=/bin/true' }],
  ])('an agent does not decide how it is tested: %s', async (_, after) => {
    const { result, ran } = await tests({ before: NPM, after });
    expect([result, ran]).toEqual(['fail', []]);
  });

  /** Files before the agent, and what it makes of them. */
  type Steering = [name: string, before: Record<string, string>, after: Record<string, string | null>];
  const PYTHON = { 'pyproject.toml': '', 'test_x.py': '' };
  const CRATE = { 'Cargo.toml': '[package]\nname = "a"' };

  test.each<Steering>([
    ['options of pytest', PYTHON, { 'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "--co"' }],
    ['a file of pytest', PYTHON, { '.pytest.ini': '[pytest]' }],
    ...['tests/conftest.py', 'pytest.py', 'pluggy/__init__.py'].map((path): Steering => [
      `L6: what pytest loads: ${path}`,
      PYTHON,
      { [path]: '' },
    ]),
    ...['jest', 'mocha', 'ava', 'tap', 'vitest'].map((name): Steering => [
      `options of ${name}`,
      NPM,
      { 'package.json': JSON.stringify({ scripts: { test: 'node --test' }, [name]: {} }) },
    ]),
    ['a file of vitest', NPM, { 'vitest.config.ts': '' }],
    ['L6: a file of vite, which vitest reads', NPM, { 'vite.config.mts': '' }],
    [
      'a crate that is no member',
      { 'Cargo.toml': '[workspace]\nmembers = ["a", "b"]' },
      { 'Cargo.toml': '[workspace]\nmembers = ["a"]' },
    ],
    ['a crate without its tests', CRATE, { 'Cargo.toml': '[package]\nname = "a"\nautotests = false' }],
    ...['[lib]\ntest = false', '[lib]\ndoctest = false', '[lib]\nharness = false', '[[test]]\nname = "c"'].map(
      (part): Steering => [`a target: ${part}`, CRATE, { 'Cargo.toml': `[package]\nname = "a"\n${part}` }],
    ),
  ])('nor what of it is tested: %s', async (_, before, after) => {
    const { result, reason, ran } = await tests({ before, after });
    expect([result, reason, ran]).toEqual(['fail', 'files that decide how tests are run changed', []]);
  });

  test('a manifest that changes otherwise, and tests where there were none, are judged', async () => {
    const toml = { 'pyproject.toml': '[project]\nname = "x"', 'test_x.py': '' };
    expect((await tests({ before: toml, after: { 'pyproject.toml': '[project]\nname = "y"' } })).result).toBe('pass');
    const first = { 'package.json': '{"scripts":{"test":"node --test"}}' };
    expect((await tests({ before: { 'package.json': '{}' }, after: first })).result).toBe('pass');
  });

  test('a file that the task names exactly is the task itself', async () => {
    const after = { '.npmrc': 'loglevel=silent' };
    expect((await tests({ before: NPM, after, task: { 'files-whitelist': ['.npmrc'] } })).result).toBe('pass');
  });

  test('what is installed comes from the lock file of main', async () => {
    const after = { 'package-lock.json': '{"evil":1}' };
    expect(await tests({ before: NPM, after })).toMatchObject({ result: 'fail', ran: [] });
    const task = { 'allow-dependency-changes': true };
    expect((await tests({ before: NPM, after, task })).result).toBe('pass');
  });

  test('what cannot be installed is not the agent’s fault', async () => {
    const ends: Given['ends'] = (command) => exit(command.startsWith('npm ci') ? 1 : 0, '', 'offline');
    expect(await tests({ before: NPM, ends })).toMatchObject({ result: 'unknown', detail: 'offline' });
  });
});
