import type { Flags } from '../../world/flags/flag.ts';
import { BUNDLE_FLAGS, DRY_RUN, TRUST_FLAGS, YES } from '../../world/flags/shared.ts';

/** The repository whose agents are meant. */
const REPOSITORY = {
  repo: { type: 'string', default: '.', description: 'Repository that the agents work on' },
} as const satisfies Flags;

/** A task, and the bundle that has its role. */
export const TASK = {
  task: { type: 'string', id: true, required: true, description: 'Task: the folder below tasks/ with its task.toml' },
  ...REPOSITORY,
  ...BUNDLE_FLAGS,
} as const satisfies Flags;

/** Flags of `vade task compose`. */
export const TASK_COMPOSE = { ...TASK, 'dry-run': DRY_RUN } as const satisfies Flags;

/** Flags of the key that seals plans, bindings and rows of the ledger. */
const ORCHESTRATOR = {
  key: { type: 'string', description: 'Ed25519 key of the orchestrator in PEM; or VADE_ORCHESTRATOR_KEY' },
} as const satisfies Flags;

/** Flags for the creation of an agent. */
const SPAWN = {
  ...TASK,
  base: { type: 'string', default: 'HEAD', description: 'Commit that its worktree starts from' },
  worktrees: { type: 'string', description: 'Folder of all worktrees of agents; default: <repository>.worktrees' },
  ...ORCHESTRATOR,
} as const satisfies Flags;

/** Flags for the commands of checks. */
const CHECKING = {
  seconds: {
    type: 'integer',
    default: 1800,
    min: 1,
    max: 86_400,
    description: 'Maximum seconds for one command of a check',
  },
  sandbox: {
    type: 'enum',
    values: ['auto', 'required', 'bwrap', 'unshare', 'none'],
    default: 'auto',
    description:
      'Sandbox of the commands of checks: auto uses the first that this machine has, required fails without one',
  },
} as const satisfies Flags;

const AGENT = { type: 'string', id: true, required: true, description: 'Agent, by its id' } as const;

/** An agent, and a reason that the ledger keeps. */
export const DECISION = {
  ...REPOSITORY,
  agent: { type: 'string', id: true, required: true, description: 'Agent' },
  reason: { type: 'string', line: true, required: true, description: 'Why; the ledger keeps it' },
  ...ORCHESTRATOR,
  'dry-run': DRY_RUN,
} as const satisfies Flags;

/** Flags of `vade task clean`. */
export const TASK_CLEAN = {
  ...REPOSITORY,
  agent: { type: 'string', id: true, description: 'Agent' },
  all: { type: 'boolean', description: 'Every agent, and what interrupted spawns left behind' },
  main: { type: 'string', default: 'HEAD', description: 'Commit that contains the merged work' },
  discard: { type: 'boolean', description: 'Also remove work that main does not have; needs --yes' },
  yes: YES,
  ...ORCHESTRATOR,
  'dry-run': DRY_RUN,
} as const satisfies Flags;

/** Flags of `vade task log`. */
export const TASK_LOG = {
  ...REPOSITORY,
  agent: { type: 'string', id: true, description: 'Only this agent' },
  orchestrator: { type: 'string', description: 'Public key that seals rows; default: the one that the hook pins' },
  limit: { type: 'integer', default: 20, min: 1, max: 10_000, description: 'Most rows' },
} as const satisfies Flags;

/** Flags of `vade task run`. */
export const TASK_RUN = {
  ...SPAWN,
  ...CHECKING,
  program: { type: 'string', default: 'claude', description: 'Program of the agent; the prompt is its stdin' },
  argument: { type: 'array', description: 'Argument of the program, as --argument=-p; may be repeated' },
  pass: { type: 'array', description: 'Variable of the environment to pass on, such as the key of its service' },
  confine: {
    type: 'enum',
    values: ['auto', 'required', 'none'],
    default: 'auto',
    description:
      'Let the program write only its worktree, home and temporary folder; required fails if that is not possible',
  },
  network: {
    type: 'enum',
    values: ['host', 'none'],
    default: 'host',
    description: 'Network of a confined program; none leaves it only loopback',
  },
  timeout: { type: 'integer', default: 60, min: 1, max: 1440, description: 'Minutes until the program is ended' },
  'dry-run': DRY_RUN,
} as const satisfies Flags;

/** Flags of `vade task spawn`. */
export const TASK_SPAWN = { ...SPAWN, 'dry-run': DRY_RUN } as const satisfies Flags;

/** Flags of `vade task worktree`. */
export const TASK_WORKTREE = {
  tasks: { type: 'string', required: true, description: 'Folder of bindings: <git-common-dir>/vade, absolute' },
  orchestrator: { type: 'string', required: true, description: 'Fingerprint of the orchestrator’s key' },
  'dry-run': DRY_RUN,
} as const satisfies Flags;

/** Flags of `vade task verify`. */
export const TASK_VERIFY = {
  ...REPOSITORY,
  agent: AGENT,
  report: { type: 'string', description: 'File of the agent’s report' },
  ...CHECKING,
  ...ORCHESTRATOR,
  ...TRUST_FLAGS,
  'dry-run': DRY_RUN,
} as const satisfies Flags;

/** Flags of `vade task replay`. */
export const TASK_REPLAY = { ...REPOSITORY, agent: AGENT, ...CHECKING, ...ORCHESTRATOR } as const satisfies Flags;

/** Flags of `vade task explain`. */
export const TASK_EXPLAIN = {
  ...REPOSITORY,
  agent: AGENT,
  reason: {
    type: 'string',
    line: true,
    required: true,
    description: 'Why the changes are right; the ledger keeps it',
  },
  ...ORCHESTRATOR,
  'dry-run': DRY_RUN,
} as const satisfies Flags;
