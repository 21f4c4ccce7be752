import { HOSTS } from '../../hosts/hosts.ts';
import { FIRST_AGENT } from '../../schema/source/placeholders.ts';
import type { Flags } from '../../world/flags/flag.ts';
import { BUNDLE_FLAGS, DRY_RUN, MODELS, YES } from '../../world/flags/shared.ts';

const SUBAGENT = {
  type: 'array',
  description: '<sub-agent>=<agent>: instruct a sub-agent that has its own server as this agent',
} as const;

/** Flags of `vade hook`. */
export const HOOK = {
  agent: { type: 'string', id: true, required: true, description: 'Agent of the session, by id or short name' },
  host: { type: 'enum', values: HOSTS, default: 'claude-code', description: 'Host whose events it answers' },
  subagent: SUBAGENT,
  intents: {
    type: 'enum',
    values: ['digest', 'full'],
    default: 'digest',
    description: 'Store only a digest of prompts, or their text, erasable',
  },
  continuity: { type: 'string', description: 'Folder of the capsules, whose startup view a start gives' },
  models: MODELS,
  ...BUNDLE_FLAGS,
} as const satisfies Flags;

/** Flags of `vade connect`. */
export const CONNECT = {
  host: { type: 'array', description: `Host: ${HOSTS.join(', ')}; default: claude-code` },
  agent: { type: 'string', id: true, default: FIRST_AGENT, description: 'Agent of its sessions, by id or short name' },
  subagent: SUBAGENT,
  bundle: { type: 'string', description: 'Folder of the bundle; default: bundle, in the project' },
  trust: { type: 'string', description: 'Trust root that the bundle is verified with; default: that of development' },
  continuity: { type: 'boolean', description: 'Give the agent back what it kept before its context was lost' },
  dir: { type: 'string', default: '.', description: 'Folder of the project' },
  yes: YES,
  'dry-run': DRY_RUN,
} as const satisfies Flags;
