import { parse } from 'smol-toml';
import { orNull } from '../../schema/or-null.ts';
import { CARGO_TARGETS, NPM_SCRIPTS, PYTEST_OPTIONS, type SteeringParts } from './steering-parts.ts';

/** A program and its words, as a table has them. */
type Words = readonly [program: string, ...args: string[]];

/** One way to build and test: which files tell it, and which commands it takes. */
export interface Ecosystem {
  readonly name: string;
  /** A folder with one of these is a project. */
  readonly manifests: readonly string[];
  /** Whether a project below another one is tested on its own; else it belongs to that one. */
  readonly nested?: true;
  /** Files that decide which packages are installed. */
  readonly locks: readonly string[];
  /** Files that decide how tests are run: an agent that is judged by the tests must not change them. */
  readonly steering: readonly string[];
  /** Parts of files that do, by the file's name. */
  readonly steeringParts: Readonly<Record<string, SteeringParts>>;
  /** Variables of every command. */
  readonly env: Readonly<Record<string, string>>;
  /** Ways to install the packages that a lock file of main names; the first whose lock file exists is used. */
  readonly prepare: readonly Prepare[];
  readonly test: Words;
  /** The output if the program of the tests is missing. */
  readonly missing?: RegExp;
  /** Whether a manifest names packages that only a lock file installs. */
  readonly needsLock?: (name: string, text: string) => boolean;
  /** The number of passed tests in the output of the command; null if it does not say. */
  readonly count: (output: string) => number | null;
}

/** Command that installs the packages of one lock file. */
interface Prepare {
  /** Below the project's folder. */
  readonly lock: string;
  readonly commands: readonly Words[];
  /** Replaces the usual command: it uses the installed packages. */
  readonly test?: Words;
}

/** The sum of the numbers that a pattern finds; null if it finds none. */
function sum(pattern: RegExp): (output: string) => number | null {
  return (output) => {
    const found = [...plain(output).matchAll(pattern)];
    return found.length === 0 ? null : found.reduce((all, it) => all + Number(it[1]), 0);
  };
}

/** The last number that the first matching pattern finds: one summary may repeat another. */
function last(...patterns: readonly RegExp[]): (output: string) => number | null {
  return (output) => {
    const text = plain(output);
    const found = patterns.map((it) => [...text.matchAll(it)].at(-1)?.[1]).find((it) => it !== undefined);
    return found === undefined ? null : Number(found);
  };
}

/** Without colours. */
function plain(output: string): string {
  return output.replaceAll(/\u001b\[[0-9;]*[A-Za-z]/g, '');
}

export const CARGO: Ecosystem = {
  name: 'cargo',
  manifests: ['Cargo.toml'],
  locks: ['Cargo.lock'],
  steering: ['**/.cargo/config', '**/.cargo/config.toml', '**/rust-toolchain', '**/rust-toolchain.toml'],
  steeringParts: { 'Cargo.toml': CARGO_TARGETS },
  env: { CARGO_TERM_COLOR: 'never', CARGO_INCREMENTAL: '0' },
  prepare: [{ lock: 'Cargo.lock', commands: [['cargo', 'fetch', '--locked']] }],
  test: ['cargo', 'test'],
  count: sum(/^test result: \S+ (\d+) passed/gm),
};

const NPM: Ecosystem = {
  name: 'npm',
  manifests: ['package.json'],
  locks: ['package-lock.json', 'npm-shrinkwrap.json'],
  steering: [
    '**/.npmrc',
    '**/{vite,vitest,jest,babel,playwright,cypress,ava,web-test-runner,wtr,rstest,nightwatch,codecept}.config.*',
    '**/vitest.workspace.*',
    '**/{karma,wdio,wdio.*,nightwatch,codecept,protractor}.conf.*',
    '**/{src/setupTests,jest.preset,spec/support/jasmine}.*',
    '**/bunfig.toml',
    '**/.mocharc.*',
    '**/.babelrc*',
    '**/.swcrc',
    '**/.taprc',
    '**/{.nycrc,.c8rc}*',
  ],
  steeringParts: { 'package.json': NPM_SCRIPTS },
  env: { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_update_notifier: 'false', NO_COLOR: '1' },
  prepare: ['package-lock.json', 'npm-shrinkwrap.json'].map((lock) => ({
    lock,
    commands: [
      ['npm', 'ci', '--ignore-scripts'],
      ['npm', 'rebuild'],
    ],
  })),
  test: ['npm', 'test'],
  needsLock: namesNpmPackages,
  count: last(
    // node --test, Vitest, Jest, Mocha
    /^(?:#|ℹ) pass (\d+)$/gm,
    /^\s*Tests\s+(?:\d+ failed \| )?(\d+) passed/gm,
    /^Tests:\s+(?:\d+ \w+, )*?(\d+) passed/gm,
    /^\s*(\d+) passing\b/gm,
  ),
};

/** Modules that `python3 -m pytest` would load from the project instead of its own. */
const SHADOWS = ['pytest', '_pytest', 'pluggy', 'iniconfig', 'sitecustomize', 'usercustomize'].flatMap((it) => [
  `**/${it}.py`,
  `**/${it}/__init__.py`,
]);

const RUN_PYTEST = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'];

const PYTEST: Ecosystem = {
  name: 'pytest',
  manifests: ['pyproject.toml', 'pytest.ini', 'setup.py', 'setup.cfg', 'tox.ini', 'requirements.txt'],
  locks: ['requirements.txt', 'uv.lock', 'poetry.lock'],
  steering: [
    '**/pytest.ini',
    '**/.pytest.ini',
    '**/pytest.toml',
    '**/.pytest.toml',
    '**/tox.ini',
    '**/setup.cfg',
    '**/conftest.py',
    ...SHADOWS,
  ],
  steeringParts: { 'pyproject.toml': PYTEST_OPTIONS },
  env: {
    PYTHONDONTWRITEBYTECODE: '1',
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    PIP_NO_INPUT: '1',
    UV_PYTHON_DOWNLOADS: 'never',
    // of a company whose proxy signs for others, say
    UV_SYSTEM_CERTS: 'true',
    POETRY_NO_INTERACTION: '1',
    POETRY_VIRTUALENVS_IN_PROJECT: 'true',
  },
  prepare: [
    { lock: 'uv.lock', commands: [['uv', 'sync', '--frozen']], test: ['.venv/bin/python3', ...RUN_PYTEST] },
    { lock: 'poetry.lock', commands: [['poetry', 'install']], test: ['.venv/bin/python3', ...RUN_PYTEST] },
    {
      lock: 'requirements.txt',
      commands: [
        // pytest itself is often no requirement: then it is the machine's
        ['python3', '-m', 'venv', '--system-site-packages', '.venv'],
        ['.venv/bin/python3', '-m', 'pip', 'install', '--requirement', 'requirements.txt'],
      ],
      test: ['.venv/bin/python3', ...RUN_PYTEST],
    },
  ],
  test: ['python3', ...RUN_PYTEST],
  missing: /: No module named pytest$/m,
  needsLock: namesPythonPackages,
  count: last(/\b(\d+) passed\b/g),
};

const GO: Ecosystem = {
  name: 'go',
  manifests: ['go.mod'],
  nested: true,
  locks: ['go.sum', 'vendor/modules.txt'],
  steering: ['**/go.work', '**/go.env'],
  steeringParts: {},
  // folders of the module cache that are read-only could not be removed
  env: { GOFLAGS: '-modcacherw', GOTOOLCHAIN: 'local', GOTELEMETRY: 'off' },
  prepare: [
    { lock: 'vendor/modules.txt', commands: [] },
    { lock: 'go.sum', commands: [['go', 'mod', 'download']] },
  ],
  test: ['go', 'test', '-v', './...'],
  count: (output) => {
    const found = [...output.matchAll(/^\s*--- PASS: /gm)];
    return /^(?:ok|PASS|FAIL|---|\?)\s/m.test(output) ? found.length : null;
  },
};

/** All of them, in the order in which they are asked. */
export const ECOSYSTEMS: readonly Ecosystem[] = [CARGO, NPM, PYTEST, GO];

/** Whether a `package.json` names packages that have to be installed. */
export function namesNpmPackages(_name: string, text: string): boolean {
  // a file that cannot be parsed names no packages
  const all = orNull(() => JSON.parse(text) as unknown);
  return ['dependencies', 'devDependencies'].some((it) => namesAny(all, it));
}

/** The same of a manifest of Python; in a program it is only looked for. */
export function namesPythonPackages(name: string, text: string): boolean {
  if (name !== 'pyproject.toml') return text.includes('install_requires');
  const all = orNull(() => parse(text));
  return [
    ['project', 'dependencies'],
    ['project', 'optional-dependencies'],
    ['dependency-groups'],
    ['tool', 'poetry', 'dependencies'],
  ].some((path) => namesAny(all, ...path));
}

/** Whether a list or a table below a value has an entry. */
function namesAny(value: unknown, ...path: readonly string[]): boolean {
  const found = path.reduce((at, name) => (at as Record<string, unknown> | null | undefined)?.[name], value);
  return typeof found === 'object' && found !== null && Object.keys(found).length > 0;
}
