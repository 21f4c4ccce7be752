import { parse } from 'smol-toml';
import { canonicalJson } from '../../trust/canonical.ts';

/** The parts of a manifest that decide how tests are run. */
export interface SteeringParts {
  /** Those parts by their names, as canonical JSON. @throws if the text cannot be parsed */
  readonly said: (text: string) => ReadonlyMap<string, string>;
  /** Whether a file without such parts may get some: nothing was tested then. */
  readonly mayBegin: boolean;
}

type Table = Readonly<Record<string, unknown>>;

function tableAt(value: unknown, ...path: readonly string[]): Table {
  const found = path.reduce<unknown>((at, name) => (isTable(at) && Object.hasOwn(at, name) ? at[name] : {}), value);
  return isTable(found) ? found : {};
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keys of a table, shown below a name. */
function picked(table: Table, names: readonly string[], below = ''): [string, string][] {
  const there = names.filter((it) => Object.hasOwn(table, it));
  return there.map((it) => [below + it, canonicalJson(table[it] ?? null)]);
}

/** The scripts that `npm test` runs, and options of the programs that they run most often. */
export const NPM_SCRIPTS: SteeringParts = {
  said: (text) => {
    const all: unknown = JSON.parse(text);
    const scripts = picked(tableAt(all, 'scripts'), ['pretest', 'test', 'posttest'], 'scripts.');
    return new Map([...scripts, ...picked(tableAt(all), ['jest', 'mocha', 'ava', 'tap', 'vitest'])]);
  },
  mayBegin: true,
};

/** https://docs.pytest.org/en/stable/reference/customize.html#pyproject-toml */
export const PYTEST_OPTIONS: SteeringParts = {
  said: (text) => new Map(picked(tableAt(parse(text), 'tool'), ['pytest'], 'tool.')),
  mayBegin: false,
};

/** Crates and targets of `cargo test --workspace` (https://doc.rust-lang.org/cargo/reference/cargo-targets.html). */
export const CARGO_TARGETS: SteeringParts = {
  said: (text) => {
    const all = parse(text);
    return new Map([
      ...picked(all, ['test']),
      ...picked(tableAt(all, 'package'), ['autotests'], 'package.'),
      ...picked(tableAt(all, 'lib'), ['test', 'doctest', 'harness'], 'lib.'),
      ...picked(tableAt(all, 'workspace'), ['members', 'exclude'], 'workspace.'),
    ]);
  },
  mayBegin: false,
};
