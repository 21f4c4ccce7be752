import type { Flags } from '../../world/flags/flag.ts';
import { DRY_RUN } from '../../world/flags/shared.ts';
import { FOUNDER } from './trust.ts';

/** Flags of `vade init`. */
export const INIT = {
  dir: { type: 'string', default: '.', description: 'Folder of the handbook; created if missing' },
  deployment: { type: 'string', description: 'Name of the deployment; default: the name of the folder' },
  ...FOUNDER,
  action: { type: 'string', description: 'Write workflows for GitHub too: owner/repository@<commit> of the action' },
  continuity: {
    type: 'boolean',
    description: 'Let the host return to the agent what it kept before its context was lost',
  },
  'dry-run': DRY_RUN,
} as const satisfies Flags;
