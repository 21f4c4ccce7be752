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
  'compiler/capabilities/atoms/scratch-files.ts',
  'compiler/capabilities/gate/',
  'compiler/capabilities/hooks/',
  'compiler/capabilities/resolve/resolve-role.ts',
  'compiler/capabilities/use-cases/',
];
/** The files of worktrees and of the ledger, which reach the disk and git. */
const TASK_FILES = [...SCHEMA, 'compiler/trust/', 'compiler/io/', 'compiler/tasks/schema/'];
/** Files of an audit and of a store of capsules that commands for an operator import: they need no server. */
const OPERATOR = [
  'server/audit/extent.ts',
  'server/audit/maintenance.ts',
  'server/audit/queue/spool-file.ts',
  'server/audit/read-answers.ts',
  'server/audit/take-arrivals.ts',
  'server/continuity/operator/',
];
const APP = [
  ...COMPILE,
  'compiler/hosts/',
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
  'server/log.ts',
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
export const RULES: Readonly<Record<string, readonly string[]>> = {
  'compiler/schema/': [],
  'compiler/budget/': SCHEMA,
  'compiler/trust/': SCHEMA,
  // a table, and its reader
  'compiler/hosts/': SCHEMA,
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
  'compiler/capabilities/': [...SCHEMA, 'compiler/trust/', 'compiler/hosts/'],
  'compiler/capabilities/read-capabilities.ts': [...SOURCES, 'compiler/capabilities/'],
  'compiler/capabilities/lint/': [...SOURCES, 'compiler/lint/rules/', 'compiler/capabilities/'],
  'compiler/capabilities/garden/': [...GARDENS, 'compiler/capabilities/'],
  'compiler/capabilities/use-cases/': [...GARDENS, ...WORLD, 'compiler/hosts/', 'compiler/capabilities/'],
  'compiler/tasks/': [...SCHEMA, 'compiler/trust/', 'compiler/sources/', ...CAPABILITIES_IN_TASKS],
  'compiler/tasks/worktree/': TASK_FILES,
  'compiler/tasks/ledger/': TASK_FILES,
  'compiler/tasks/use-cases/': [
    ...[...GARDENS, ...WORLD, ...CAPABILITIES_IN_TASK_USE_CASES],
    ...['compiler/hosts/', 'compiler/tasks/'],
  ],
  // agents' own texts never enter recall, and nothing of recall enters them: no other room of the compiler imports it
  'compiler/continuity/': [...SCHEMA, 'compiler/budget/', 'compiler/trust/'],
  'compiler/continuity/use-cases/': [...SCHEMA, ...CAPSULES, 'compiler/io/', 'compiler/world/', 'server/local.ts'],
  'compiler/migration/': [...GARDENS, 'compiler/hosts/'],
  'compiler/publish/': GARDENS,
  'compiler/export/': SOURCES,
  'compiler/compile.ts': COMPILE,
  // the terminal shows capsules by their schemas
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
  // how the host of a process starts a skill
  'server/mcp/': [...OPERATIONS, 'compiler/hosts/hosts.ts'],
  'server/capsules.ts': ['server/continuity/'],
  'server/services.ts': [...OPERATIONS, 'server/capsules.ts'],
  'server/local.ts': [...OPERATIONS, 'server/services.ts'],
  'server/stdio.ts': [
    ...OPERATIONS,
    'server/services.ts',
    'server/local.ts',
    'server/mcp/',
    'server/telemetry/stderr-log.ts',
  ],
  'server/main.ts': [...TELEMETRY, 'server/services.ts', 'server/http/'],
};

/** Entries, and what all of a program's folders share: they stand for themselves, not for the folder they lie in. */
export const ALONE = [
  'compiler/compile.ts',
  'compiler/cli/command-line.ts',
  'compiler/cli/hook-program.ts',
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
