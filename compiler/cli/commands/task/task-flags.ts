import { BUNDLE_FLAGS, type Flags } from '../../registry.ts';

/** The repository whose agents are meant. */
export const REPOSITORY = {
  repo: { type: 'string', default: '.', description: 'Repository that the agents work on' },
} as const satisfies Flags;

/** A task, and the bundle that has its role. */
export const TASK = {
  task: { type: 'string', id: true, required: true, description: 'Task: the folder below tasks/ with its task.toml' },
  ...REPOSITORY,
  ...BUNDLE_FLAGS,
} as const satisfies Flags;

/** What seals plans, bindings and rows of the ledger. */
export const ORCHESTRATOR = {
  key: { type: 'string', description: 'Ed25519 key of the orchestrator in PEM; or VADE_ORCHESTRATOR_KEY' },
} as const satisfies Flags;

/** How an agent is made. */
export const SPAWN = {
  ...TASK,
  base: { type: 'string', default: 'HEAD', description: 'Commit that its worktree begins with' },
  worktrees: { type: 'string', description: 'Folder of all worktrees of agents; default: <repository>.worktrees' },
  ...ORCHESTRATOR,
} as const satisfies Flags;

/** How the commands of checks are run. */
export const CHECKING = {
  seconds: {
    type: 'integer',
    default: 1800,
    min: 1,
    max: 86_400,
    description: 'Most seconds of one command of a check',
  },
  sandbox: {
    type: 'enum',
    values: ['auto', 'bwrap', 'unshare', 'none'],
    default: 'auto',
    description: 'What commands of checks are run in: auto takes the first that this machine has',
  },
} as const satisfies Flags;
