import type { Flags } from '../../world/flags/flag.ts';
import { BUNDLE_FLAGS } from '../../world/flags/shared.ts';

/** Flags of `vade key heartbeat`. */
export const KEY_HEARTBEAT = {
  agent: { type: 'string', id: true, required: true, description: 'Agent to wake, by id or short name' },
  'wake-reason': {
    type: 'string',
    line: true,
    default: 'manual',
    description: 'Wake reason, as registered in org.yaml',
  },
  minutes: { type: 'integer', default: 60, min: 1, max: 1440, description: 'How long the token is valid' },
  bundle: { ...BUNDLE_FLAGS.bundle, description: 'Folder of the bundle that vade compile --dev wrote here' },
} as const satisfies Flags;
