import type { Flags } from '../../world/flags/flag.ts';
import { DRY_RUN, TRUST_FLAGS } from '../../world/flags/shared.ts';

/** Flags for the place of the sources. */
export const SOURCES = {
  repo: { type: 'string', default: '.', description: 'Folder that contains the sources' },
  source: { type: 'string', default: 'instructions', description: 'Folder of the sources, in it' },
} as const satisfies Flags;

/** Flags of `vade capability add`. */
export const CAPABILITY_ADD = {
  ...SOURCES,
  atom: { type: 'array', description: 'Atom, such as policy::no-git-ops, this or --role; may be repeated' },
  role: { type: 'array', id: true, description: 'Role, such as edit-local; may be repeated' },
  'dry-run': DRY_RUN,
} as const satisfies Flags;

/** Flags of `vade capability check`. */
export const CAPABILITY_CHECK = {
  role: { type: 'string', id: true, required: true, description: 'Role of the agent that makes the call' },
  bundle: { type: 'string', description: 'Bundle that has the role, approved; default: the sources as they are' },
  ...SOURCES,
  parameters: { type: 'string', description: 'What the task gives its atoms, as a JSON object' },
  ...TRUST_FLAGS,
} as const satisfies Flags;

/** The agents that hooks are for, and the settings that have the hooks. */
export const HOOKS = {
  repo: { type: 'string', default: '.', description: 'Repository that the agents work on' },
  settings: { type: 'string', description: 'Settings of Claude Code; default: ~/.claude/settings.json' },
} as const satisfies Flags;

/** Flags of `vade capability install`. */
export const CAPABILITY_INSTALL = {
  ...HOOKS,
  orchestrator: {
    type: 'string',
    required: true,
    description: 'Public key of the orchestrator, which seals bindings',
  },
  'worktree-hook': {
    type: 'boolean',
    description: 'Let the host use the worktrees that vade task spawn makes, and no others',
  },
  'host-sandbox': {
    type: 'boolean',
    description: 'Print settings of the host’s own sandbox for agents that the host starts; writes none of them',
  },
  worktrees: { type: 'string', description: 'Folder of all worktrees of agents; default: <repository>.worktrees' },
  ...TRUST_FLAGS,
  'dry-run': DRY_RUN,
} as const satisfies Flags;

/** Flags of `vade capability uninstall`. */
export const CAPABILITY_UNINSTALL = { ...HOOKS, 'dry-run': DRY_RUN } as const satisfies Flags;
