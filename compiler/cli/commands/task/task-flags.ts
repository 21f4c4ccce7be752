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
