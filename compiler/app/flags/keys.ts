import { KeyScope, Namespace, ScraperScope } from '../../schema/source/key-file.ts';
import type { Flags } from '../../world/flags/flag.ts';
import { BUNDLE_FLAGS, DRY_RUN, HOLDERS, PAGE_FLAGS, YES } from '../../world/flags/shared.ts';

const KEYS = {
  keys: { type: 'string', default: 'keys.json', description: 'File of the keys' },
} as const satisfies Flags;

/** Flags of `vade key create`. */
export const KEY_CREATE = {
  agent: {
    type: 'string',
    id: true,
    description: 'Agent that uses the key, by id or short name',
  },
  admin: { type: 'string', description: 'Administrator of the trust root, by entity URI such as acme/human/jane' },
  reader: { type: 'enum', values: ScraperScope.options, description: 'A key for scrapers, which reads only this' },
  name: { type: 'string', line: true, default: '', description: 'What the key is for' },
  scope: { type: 'array', description: `Limit the key to this scope; may be repeated: ${KeyScope.options.join(', ')}` },
  namespace: {
    type: 'array',
    description: `Limit the key to this part of its store: ${Namespace.options.join(', ')}`,
  },
  peer: { type: 'array', description: 'Limit handoffs to this agent, by id; may be repeated' },
  'dry-run': DRY_RUN,
  ...KEYS,
  ...HOLDERS,
} as const satisfies Flags;

/** Flags of `vade key list`. */
export const KEY_LIST = { ...KEYS, ...PAGE_FLAGS, ...HOLDERS } as const satisfies Flags;

/** Flags of `vade key revoke`. */
export const KEY_REVOKE = {
  id: { type: 'string', id: true, required: true, description: 'Id of the key, as listed' },
  yes: YES,
  'dry-run': DRY_RUN,
  ...KEYS,
} as const satisfies Flags;

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
