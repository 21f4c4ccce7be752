import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  findCycle,
  foldersOf,
  importsOf,
  packagesFrom,
  placeOf,
  sourcesIn,
  strayImports,
} from './support/architecture.ts';

const SCHEMA = ['compiler/schema/'];
const BASE = [...SCHEMA, 'compiler/budget/', 'compiler/trust/', 'compiler/recall/'];
const QUALITY = [...BASE, 'compiler/quality/'];
const SOURCES = [...QUALITY, 'compiler/sources/'];
const GARDENS = [...SOURCES, 'compiler/history/', 'compiler/lint/', 'compiler/gardens/'];
const COMPILE = [...GARDENS, 'compiler/capabilities/garden/', 'compiler/migration/', 'compiler/publish/'];
/** The rooms that a use case of a slice may reach besides its slice: base rooms, disk and git, and the user’s world. */
const WORLD = [...SOURCES, 'compiler/io/', 'compiler/world/'];

/**
 * The entrance of each slice: what another room may import of it. A list, and no file that exports them again: the gate
 * is one small file, and a server starts without git.
 */
const CAPABILITIES_IN_TASKS = [
  'compiler/capabilities/atoms/gate-module.ts',
  'compiler/capabilities/atoms/safety-no-mass-delete.ts',
  'compiler/capabilities/atoms/scope-no-rule-edits.ts',
  'compiler/capabilities/effects/dependencies.ts',
  'compiler/capabilities/paths/',
  'compiler/capabilities/schema/',
  'compiler/capabilities/read-capabilities.ts',
];
const CAPABILITIES_IN_TASK_USE_CASES = [
  ...CAPABILITIES_IN_TASKS,
  'compiler/capabilities/gate/',
  'compiler/capabilities/hooks/',
  'compiler/capabilities/resolve/resolve-role.ts',
  'compiler/capabilities/use-cases/',
];
/** Files of an audit and of a store of capsules that commands for an operator import: they need no server. */
const OPERATOR = [
  'server/audit/extent.ts',
  'server/audit/maintenance.ts',
  'server/audit/queue/spooled-rows.ts',
  'server/audit/read-answers.ts',
  'server/continuity/operator/',
];
const APP = [
  ...COMPILE,
  'compiler/export/',
  'compiler/brief/',
  'compiler/compile.ts',
  'compiler/io/',
  'compiler/present/',
  'compiler/world/',
  'compiler/capabilities/',
  'compiler/tasks/',
  'compiler/app/',
  'compiler/continuity/',
  'server/continuity/continuity.ts',
  ...OPERATOR,
  'server/main.ts',
  'server/local.ts',
  'server/stdio.ts',
];

const THREADS = ['compiler/io/process/thread-answers.ts', 'compiler/io/process/thread-calls.ts'];
/** A server reads bundles that are made: it shares their schemas, proofs, ranking and figures, and no more. */
const SERVER = [...QUALITY, 'compiler/io/bundle/', 'compiler/io/files/', 'compiler/io/models/', ...THREADS];
const AUDIT = [...SERVER, 'server/ids.ts', 'server/log.ts', 'server/audit/'];
const ROLLOUT = [...AUDIT, 'server/rollout/'];
/** Capsules of agents: a store of their own, which alone of a server reaches git. */
const CONTINUITY = [
  ...SCHEMA,
  'compiler/trust/',
  'compiler/io/files/',
  'compiler/io/git/git-process.ts',
  ...THREADS,
  'compiler/continuity/',
  'compiler/lint/rules/secret.ts',
];
const AUTH = [...ROLLOUT, 'server/auth/'];
/** Types and schemas of the store's answers, without the store itself. */
const CAPSULES = [
  'server/continuity/continuity.ts',
  'server/continuity/coordination/coordination.ts',
  'server/continuity/state/',
  'compiler/continuity/',
];
const OPERATIONS = [...AUTH, ...CAPSULES, 'server/operations/'];
const TELEMETRY = [...OPERATIONS, 'server/telemetry/'];

/** Imports that each place may have, besides itself; the longest matching place counts. */
const RULES: Readonly<Record<string, readonly string[]>> = {
  'compiler/schema/': [],
  'compiler/budget/': SCHEMA,
  'compiler/trust/': SCHEMA,
  'compiler/recall/': SCHEMA,
  // beside trust and recall, which judge and rank what it reads
  'compiler/io/': [...SCHEMA, 'compiler/trust/', 'compiler/recall/'],
  'compiler/quality/': BASE,
  'compiler/encoder/': ['compiler/quality/paraphrase/held-out.ts', 'compiler/schema/source/lexicon.ts'],
  'compiler/sources/': QUALITY,
  'compiler/brief/': SOURCES,
  'compiler/history/': SOURCES,
  'compiler/lint/': SOURCES,
  'compiler/gardens/': GARDENS,
  'compiler/world/': WORLD,
  // three slices: the rules of each are pure, its use cases reach the disk
  'compiler/capabilities/': [...SCHEMA, 'compiler/trust/'],
  'compiler/capabilities/read-capabilities.ts': [...SOURCES, 'compiler/capabilities/'],
  'compiler/capabilities/lint/': [...SOURCES, 'compiler/lint/rules/', 'compiler/capabilities/'],
  'compiler/capabilities/garden/': [...GARDENS, 'compiler/capabilities/'],
  'compiler/capabilities/use-cases/': [...GARDENS, ...WORLD, 'compiler/capabilities/'],
  'compiler/tasks/': [...SCHEMA, 'compiler/trust/', 'compiler/sources/', ...CAPABILITIES_IN_TASKS],
  'compiler/tasks/worktree/': [...SCHEMA, 'compiler/trust/', 'compiler/io/', 'compiler/tasks/schema/'],
  'compiler/tasks/ledger/': [...SCHEMA, 'compiler/trust/', 'compiler/io/', 'compiler/tasks/schema/'],
  'compiler/tasks/use-cases/': [...GARDENS, ...WORLD, ...CAPABILITIES_IN_TASK_USE_CASES, 'compiler/tasks/'],
  // agents' own texts never enter recall, and nothing of recall enters them: no other room of the compiler imports it
  'compiler/continuity/': [...SCHEMA, 'compiler/budget/', 'compiler/trust/'],
  'compiler/continuity/use-cases/': [...SCHEMA, ...CAPSULES, 'compiler/io/', 'compiler/world/', 'server/local.ts'],
  'compiler/migration/': GARDENS,
  'compiler/publish/': GARDENS,
  'compiler/export/': SOURCES,
  'compiler/compile.ts': COMPILE,
  // pages show capsules by their schemas
  'compiler/present/': [...QUALITY, 'compiler/continuity/schema/'],
  'compiler/app/': APP,
  'compiler/cli/': APP,
  'compiler/library/': APP,
  'server/ids.ts': [],
  'server/log.ts': [],
  'server/audit/': AUDIT,
  'server/continuity/': CONTINUITY,
  'server/rollout/': ROLLOUT,
  // reads the file that `vade key` writes
  'server/auth/': [...AUTH, 'compiler/world/key-file.ts'],
  'server/operations/': OPERATIONS,
  'server/telemetry/': TELEMETRY,
  // every request is measured and traced: telemetry lies below HTTP, not beside it
  'server/http/': [...TELEMETRY, 'server/mcp/', 'compiler/present/page-html.ts'],
  'server/mcp/': OPERATIONS,
  'server/capsules.ts': ['server/continuity/'],
  'server/services.ts': [...OPERATIONS, 'server/capsules.ts'],
  'server/local.ts': [...OPERATIONS, 'server/services.ts'],
  'server/stdio.ts': [...OPERATIONS, 'server/services.ts', 'server/local.ts', 'server/mcp/'],
  'server/main.ts': [...TELEMETRY, 'server/services.ts', 'server/http/'],
};

/** Entries, and what all of a program's folders share: they stand for themselves, not for the folder they lie in. */
const ALONE = [
  'compiler/compile.ts',
  'compiler/cli/main.ts',
  'compiler/present/page/app.tsx',
  'server/capsules.ts',
  'server/ids.ts',
  'server/local.ts',
  'server/log.ts',
  'server/main.ts',
  'server/services.ts',
  'server/stdio.ts',
];

/** A server starts without any of these (DESIGN §3): no git, no Markdown parser, no tokenizer. */
const NEVER_SERVED = ['node:child_process', 'gray-matter', 'remark', 'yaml', 'js-tiktoken', 'github-slugger'];

const files = ['compiler', 'server'].flatMap((folder) => sourcesIn(folder));
const imports = new Map(files.map((file) => [file, importsOf(file)]));

/** The one way from a server to git, with its thread behind it. */
const CAPSULE_STORE = 'server/continuity/open.ts';
const without = (file: string) => new Map([...imports].map(([it, to]) => [it, to.filter((one) => one !== file)]));

describe('the direction of imports', () => {
  test('every folder imports only what the table allows', () => {
    expect(strayImports(imports, RULES)).toEqual([]);
  });

  test('every source file has a place in the table', () => {
    expect(files.filter((file) => placeOf(file, Object.keys(RULES)) === '')).toEqual([]);
  });

  test('every place of the table is there', () => {
    expect([...Object.keys(RULES), ...ALONE].filter((place) => !existsSync(place))).toEqual([]);
  });

  test('there is no cycle of files, type imports included', () => {
    expect(findCycle(imports)).toEqual([]);
  });

  test('there is no cycle of folders', () => {
    expect(findCycle(foldersOf(imports, ALONE))).toEqual([]);
  });

  test('the server reaches no git, no Markdown parser and no tokenizer, apart from the store of capsules', () => {
    const reached = [...packagesFrom('server/main.ts', without(CAPSULE_STORE))];
    expect(reached.filter((it) => NEVER_SERVED.some((name) => it === name || it.startsWith(`${name}/`)))).toEqual([]);
  });

  test('the store of capsules is loaded in one place alone, where a flag names its folder', () => {
    const importing = [...imports].flatMap(([file, targets]) => (targets.includes(CAPSULE_STORE) ? [file] : []));
    expect(importing).toEqual(['server/capsules.ts']);
    const way = readFileSync('server/capsules.ts', 'utf8');
    expect(way.match(/continuity\/open\.ts/g)).toHaveLength(1);
    expect(way).toContain("await import('./continuity/open.ts')");
  });

  test.each(['recall', 'gardens', 'publish', 'quality', 'export'])(
    'compiler/%s and continuity know nothing of each other',
    (room) => {
      const crossing = [...imports].flatMap(([file, targets]) => targets.map((it) => [file, it] as const));
      const between = (from: string, to: string) =>
        crossing.filter(([file, it]) => file.startsWith(from) && it.startsWith(to));
      for (const own of ['compiler/continuity/', 'server/continuity/']) {
        expect(between(`compiler/${room}/`, own)).toEqual([]);
        expect(between(own, `compiler/${room}/`)).toEqual([]);
      }
    },
  );

  test.each([
    ['compiler/recall/recall.ts', 'compiler/gardens/garden.ts'],
    ['compiler/quality/probes.ts', 'compiler/io/files/file.ts'],
    ['compiler/app/publish.ts', 'compiler/cli/registry.ts'],
    ['server/audit/open.ts', 'server/rollout/rollout.ts'],
    ['server/operations/recall.ts', 'server/http/request.ts'],
  ])('%s that imports %s is seen', (file, target) => {
    expect(strayImports(new Map(imports).set(file, [target]), RULES)).toEqual([`${file} imports ${target}`]);
  });

  test('a cycle through a type is seen', () => {
    const broken = new Map(imports).set('compiler/schema/uri.ts', ['compiler/schema/bundle/fact.ts']);
    expect(findCycle(broken)).not.toEqual([]);
  });

  test('a cycle of folders whose files make none is seen', () => {
    const broken = new Map([
      ['a/one.ts', ['b/one.ts']],
      ['b/one.ts', []],
      ['b/two.ts', ['a/two.ts']],
      ['a/two.ts', []],
    ]);
    expect(findCycle(broken)).toEqual([]);
    expect(findCycle(foldersOf(broken, []))).toEqual(['a', 'b', 'a']);
  });

  test('a package that only git needs is seen where a server would reach it', () => {
    const broken = new Map(imports).set('server/ids.ts', ['node:child_process']);
    expect(packagesFrom('server/main.ts', broken)).toContain('node:child_process');
  });
});
