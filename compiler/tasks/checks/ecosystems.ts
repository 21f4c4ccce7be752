/** A program and its words, as a table has them. */
type Words = readonly [program: string, ...args: string[]];

/** One way to build and test: which files tell it, and which commands it takes. */
export interface Ecosystem {
  readonly name: string;
  /** A folder with one of these is a project; one below another project belongs to it. */
  readonly manifests: readonly string[];
  /** Files that decide which packages are installed. */
  readonly locks: readonly string[];
  /** Files that decide how tests are run: an agent that is judged by the tests must not change them. */
  readonly steering: readonly string[];
  /** Variables of every command. */
  readonly env: Readonly<Record<string, string>>;
  /** Commands that install what a lock file of main names; by the lock file that has to be there. */
  readonly prepare: readonly { readonly lock: string; readonly commands: readonly Words[] }[];
  readonly test: Words;
  /** How many tests passed, from what the command printed; null if it does not say. */
  readonly count: (output: string) => number | null;
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
  env: { CARGO_TERM_COLOR: 'never', CARGO_INCREMENTAL: '0' },
  prepare: [{ lock: 'Cargo.lock', commands: [['cargo', 'fetch', '--locked']] }],
  test: ['cargo', 'test'],
  count: sum(/^test result: \S+ (\d+) passed/gm),
};

const NPM: Ecosystem = {
  name: 'npm',
  manifests: ['package.json'],
  locks: ['package-lock.json', 'npm-shrinkwrap.json'],
  steering: ['**/.npmrc'],
  env: { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_update_notifier: 'false', NO_COLOR: '1' },
  prepare: ['package-lock.json', 'npm-shrinkwrap.json'].map((lock) => ({
    lock,
    commands: [
      ['npm', 'ci', '--ignore-scripts'],
      ['npm', 'rebuild'],
    ],
  })),
  test: ['npm', 'test'],
  count: last(
    // node --test, Vitest, Jest, Mocha
    /^(?:#|ℹ) pass (\d+)$/gm,
    /^\s*Tests\s+(?:\d+ failed \| )?(\d+) passed/gm,
    /^Tests:\s+(?:\d+ \w+, )*?(\d+) passed/gm,
    /^\s*(\d+) passing\b/gm,
  ),
};

const PYTEST: Ecosystem = {
  name: 'pytest',
  manifests: ['pyproject.toml', 'pytest.ini', 'setup.py', 'setup.cfg', 'tox.ini', 'requirements.txt'],
  locks: ['requirements.txt', 'uv.lock', 'poetry.lock'],
  steering: ['**/pytest.ini', '**/tox.ini', '**/setup.cfg'],
  env: { PYTHONDONTWRITEBYTECODE: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_NO_INPUT: '1' },
  prepare: [
    { lock: 'uv.lock', commands: [['uv', 'sync', '--frozen']] },
    { lock: 'poetry.lock', commands: [['poetry', 'install', '--no-root']] },
    {
      lock: 'requirements.txt',
      commands: [
        ['python3', '-m', 'venv', '.venv'],
        ['.venv/bin/python3', '-m', 'pip', 'install', '--requirement', 'requirements.txt'],
      ],
    },
  ],
  test: ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'],
  count: last(/\b(\d+) passed\b/g),
};

const GO: Ecosystem = {
  name: 'go',
  manifests: ['go.mod'],
  locks: ['go.sum'],
  steering: ['**/go.work', '**/go.env'],
  env: { GOFLAGS: '-mod=readonly', GOTOOLCHAIN: 'local', GOTELEMETRY: 'off' },
  prepare: [{ lock: 'go.sum', commands: [['go', 'mod', 'download']] }],
  test: ['go', 'test', '-v', './...'],
  count: (output) => {
    const found = [...output.matchAll(/^\s*--- PASS: /gm)];
    return /^(?:ok|PASS|FAIL|---|\?)\s/m.test(output) ? found.length : null;
  },
};

/** All of them, in the order in which they are asked. */
export const ECOSYSTEMS: readonly Ecosystem[] = [CARGO, NPM, PYTEST, GO];
