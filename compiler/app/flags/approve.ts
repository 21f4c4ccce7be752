import { ApprovalKind } from '../../schema/source/approval.ts';
import type { Flags } from '../../world/flags/flag.ts';
import { ADMIN_KEY, DRY_RUN, MODELS, TRUST_FLAGS } from '../../world/flags/shared.ts';

/** Flags of `vade approve`. */
export const APPROVE = {
  kind: { type: 'enum', required: true, values: ApprovalKind.options, description: 'What to approve' },
  agent: { type: 'string', id: true, description: 'Agent, by short name; or shared; not for role and bypass' },
  unit: { type: 'string', id: true, description: 'Unit; only for kinds that concern one' },
  role: { type: 'string', id: true, description: 'For role and bypass: the role' },
  reader: { type: 'string', id: true, description: 'For grant: the agent that may read the garden' },
  note: { type: 'string', line: true, description: 'Result of the review; required for force_position, bypass' },
  expires: { type: 'string', description: 'ISO 8601 time at which it expires' },
  ...ADMIN_KEY,
  repo: { type: 'string', default: '.', description: 'Git repository' },
  source: { type: 'string', default: 'instructions', description: 'Folder of the sources' },
  ref: { type: 'string', default: 'HEAD', description: 'Commit whose text is approved' },
  base: { type: 'string', description: 'Branch that the ref will be merged into; default: the trunk' },
  models: MODELS,
  'dry-run': DRY_RUN,
  ...TRUST_FLAGS,
} as const satisfies Flags;
