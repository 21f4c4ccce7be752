import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { effectsIn, placeOf, sourcesIn, type Effect } from './support/architecture.ts';

/** Effects that each place may have; everything else depends on its arguments alone. */
const EFFECTS: Readonly<Record<string, readonly Effect[]>> = {
  'compiler/io/': ['clock', 'disk', 'environment', 'network', 'program', 'random'],
  // the gate: one file that hosts start before each tool call
  'compiler/capabilities/gate/main.ts': ['clock', 'disk', 'environment'],
  'compiler/capabilities/gate/disk-store.ts': ['disk', 'environment'],
  'compiler/capabilities/paths/disk.ts': ['disk'],
  'compiler/cli/': ['disk'],
  'compiler/cli/command-line.ts': ['clock', 'environment'],
  // a host waits for it no longer than it says
  'compiler/cli/hook-program.ts': ['clock', 'environment'],
  'compiler/cli/main.ts': ['disk', 'environment'],
  'compiler/cli/process-end.ts': ['disk', 'environment'],
  'compiler/cli/terminal.ts': ['clock', 'environment', 'random'],
  // cuts a command off that takes too long
  'compiler/cli/run.ts': ['clock'],
  // publishes with the same program, in a process of its own
  'compiler/cli/child-publisher.ts': ['environment'],
  // waits for the first bundle
  'compiler/cli/child-compiler.ts': ['clock', 'disk'],
  // a page in a browser
  'compiler/present/page/': ['clock', 'network'],
  // made offline, by hand
  'compiler/encoder/': ['disk', 'environment'],
  // use cases work on the caller's folders; the time and the environment come with the world
  'compiler/app/': ['disk'],
  'compiler/capabilities/use-cases/': ['disk'],
  'compiler/tasks/use-cases/': ['disk'],
  'compiler/tasks/ledger/': ['disk'],
  'compiler/tasks/worktree/': ['disk', 'environment', 'random'],
  'compiler/world/': ['disk'],
  // they wait, or let other work in between; none of them asks what time it is
  'compiler/app/dev/develop.ts': ['clock'],
  'compiler/app/probe/suggest-probes.ts': ['clock', 'disk'],
  'compiler/app/publish.ts': ['clock', 'disk'],
  'compiler/app/replay/replay-audit.ts': ['clock'],
  'compiler/app/build-threads.ts': ['clock', 'environment'],
  // the folder for temporary files
  'compiler/world/arrivals-place.ts': ['environment'],
  'compiler/world/bundle-place.ts': ['clock'],
  // whose files they are
  'compiler/world/trust-keys.ts': ['disk', 'environment'],
  'compiler/world/heed-signal.ts': ['clock'],
  // where the caller hands in no clock and no folder, those of its machine
  'compiler/library/silent-world.ts': ['clock', 'environment', 'random'],
  // the native library reads and writes its graph as a file
  'compiler/recall/ann/hnsw.ts': ['disk', 'environment'],
  'compiler/recall/ann/native-file.ts': ['disk'],
  // a new key is random, or it is none
  'compiler/trust/root-chain.ts': ['random'],
  'server/audit/': ['clock', 'disk', 'network', 'program', 'random'],
  // the store of capsules: git in a process, its copy in a file, and turns among processes
  'server/continuity/': ['clock', 'disk', 'program', 'random'],
  'server/ids.ts': ['random'],
  'server/log.ts': ['clock'],
  // looks at the file of keys again and again
  'server/auth/keyring.ts': ['clock', 'disk'],
  'server/auth/client-address.ts': ['network'],
  'server/auth/rate-limits.ts': ['clock'],
  // sockets, and how long one may take
  'server/http/connections.ts': ['clock', 'network', 'random'],
  // hands requests to the library as the web has them
  'server/http/mcp.ts': ['network'],
  // finds the real folders of a host
  'server/http/shutdown.ts': ['clock'],
  // ends what takes too long
  'server/operations/perform.ts': ['clock'],
  // polls, watches and backs off
  'server/rollout/': ['clock'],
  'server/rollout/bundles.ts': ['disk', 'random'],
  'server/telemetry/tracing.ts': ['random'],
  'server/telemetry/request-context.ts': ['clock', 'random'],
};

const files = ['compiler', 'server'].flatMap((folder) => sourcesIn(folder));

/** The things that each file touches; to parse all files takes seconds. */
const effects = new Map(files.map((file) => [file, effectsIn(file, readFileSync(file, 'utf8'))]));

/** Effects that the table does not allow a file. */
function strayEffects(file: string, found: ReadonlySet<Effect>): string[] {
  const allowed = EFFECTS[placeOf(file, Object.keys(EFFECTS))] ?? [];
  return [...found].filter((it) => !allowed.includes(it)).map((it) => `${file}: ${it}`);
}

/** Effects that a table allows and no file has: a permission that nobody needs. */
function idleEffects(found: ReadonlyMap<string, ReadonlySet<Effect>>): string[] {
  const places = Object.keys(EFFECTS);
  return Object.entries(EFFECTS).flatMap(([place, allowed]) => {
    const used = [...found].filter(([file]) => placeOf(file, places) === place).flatMap(([, it]) => [...it]);
    return allowed.filter((it) => !used.includes(it)).map((it) => `${place}: ${it}`);
  });
}

/** The things that a text would touch in a file that may touch nothing. */
const touched = (text: string) => strayEffects(PURE, effectsIn(PURE, text));
const PURE = 'compiler/recall/recall.ts';

describe('purity', () => {
  test('clock, random, environment, disk and network are touched only where the table allows', () => {
    expect([...effects].flatMap(([file, found]) => strayEffects(file, found))).toEqual([]);
  });

  test('every place of the table is there', () => {
    expect(Object.keys(EFFECTS).filter((place) => !existsSync(place))).toEqual([]);
  });

  test('no permission of the table is without use', () => {
    expect(idleEffects(effects)).toEqual([]);
    expect(idleEffects(new Map([...effects].filter(([file]) => file !== 'server/ids.ts')))).toEqual([
      'server/ids.ts: random',
    ]);
  });

  test.each<[Effect, string]>([
    ['clock', 'export const now = Date.now();'],
    ['clock', 'export const now = new Date();'],
    ['clock', 'setTimeout(() => undefined, 1);'],
    ['random', 'export const one = Math.random();'],
    ['random', "import { randomUUID } from 'node:crypto';\nexport const id = randomUUID();"],
    ['environment', "export const home = process.env['HOME'];"],
    ['disk', "import { readFileSync } from 'node:fs';\nexport const text = readFileSync('x');"],
    ['disk', "export const fs = await import('node:fs');"],
    ['network', "export const page = await fetch('https://example.org');"],
    ['program', "import { spawnSync } from 'node:child_process';\nspawnSync('git');"],
  ])('%s is seen in %j', (effect, text) => {
    expect(touched(text)).toEqual([`${PURE}: ${effect}`]);
  });

  test.each([
    "import type { Stats } from 'node:fs';\nexport type It = Stats;",
    'export const at = (now: number) => new Date(now);',
    'export const read = ({ clock }: { clock: { performance: number } }) => clock.performance;',
    '// process.env is not read\nexport const text = "Date.now()";',
  ])('%j touches nothing', (text) => {
    expect(touched(text)).toEqual([]);
  });
});
