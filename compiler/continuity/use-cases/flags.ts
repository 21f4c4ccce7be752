import type { Flags } from '../../world/flags/flag.ts';
import { BUNDLE_FLAGS } from '../../world/flags/shared.ts';

export const STARTUP = {
  continuity: {
    type: 'string',
    required: true,
    description: 'Folder of the capsules, as given to vade serve or vade mcp',
  },
  agent: { type: 'string', id: true, required: true, description: 'Agent, by id or short name' },
  budget: {
    type: 'integer',
    default: 4000,
    min: 256,
    max: 100_000,
    description: 'Maximum tokens of the text, estimated',
  },
  ...BUNDLE_FLAGS,
} as const satisfies Flags;
