import { ApprovalKind } from '../../schema/source/approval.ts';
import type { Flags } from '../../world/flags/flag.ts';
import {
  ADMIN_KEY,
  BUNDLE_FLAGS,
  CONTROL_PLANE,
  DRY_RUN,
  MODELS,
  TRUST_FLAGS,
  TRUST_SOURCES,
  YES,
} from '../../world/flags/shared.ts';

/** Flags of `vade init` that say who the first administrator is. */
export const FOUNDER = {
  admin: { type: 'string', description: 'Entity URI of the first administrator; default: you' },
  'no-admin': { type: 'boolean', description: 'Create no administrator' },
} as const satisfies Flags;

/** Flags of `vade trust keygen`. */
export const TRUST_KEYGEN = {
  out: { type: 'string', required: true, description: 'File of the private key; never overwritten' },
  owner: { type: 'string', description: 'Entity URI of its holder, such as acme/human/ann' },
  'dry-run': DRY_RUN,
} as const satisfies Flags;

/** Flags of `vade trust draft`. */
export const TRUST_DRAFT = {
  out: { type: 'string', required: true, description: 'File of the draft; never overwritten' },
  trust: { ...BUNDLE_FLAGS.trust, required: true },
  source: TRUST_SOURCES,
  'add-key': {
    type: 'array',
    description: '<role>=<PEM> for root, bundle or freshness; or <entity URI>=<PEM> for an administrator',
  },
  'retire-key': { type: 'array', description: 'PEM of a key to remove, or its ID as vade trust show gives it' },
  ...CONTROL_PLANE,
  'dry-run': DRY_RUN,
} as const satisfies Flags;

/** Flags of `vade trust show`. */
export const TRUST_SHOW = { source: TRUST_SOURCES, ...TRUST_FLAGS } as const satisfies Flags;

/** Flags of `vade trust sign`. */
export const TRUST_SIGN = {
  draft: { type: 'string', required: true, description: 'File of the draft' },
  out: { type: 'string', required: true, description: 'File of the signed root, such as instructions/trust/2.json' },
  ...ADMIN_KEY,
  trust: { ...BUNDLE_FLAGS.trust, required: true },
  source: TRUST_SOURCES,
  'dry-run': DRY_RUN,
} as const satisfies Flags;

/** Flags of `vade freshen`. */
export const FRESHEN = {
  days: { type: 'integer', default: 7, min: 1, max: 365, description: 'How long the statement is valid' },
  key: { type: 'string', description: 'Ed25519 signing key in PEM; or VADE_SIGNING_KEY' },
  'dry-run': DRY_RUN,
  ...BUNDLE_FLAGS,
} as const satisfies Flags;

/** Flags of `vade withdraw`. */
export const WITHDRAW = {
  agent: { type: 'string', id: true, required: true, description: 'Agent of the garden; or shared' },
  unit: { type: 'string', id: true, required: true, description: 'Unit' },
  'fact-version': { type: 'integer', min: 1, description: 'Version of the unit; default: the one in force' },
  digest: {
    type: 'string',
    description: 'Digest of a text that was published as that version, and is in the bundle no more',
  },
  reason: { type: 'string', line: true, required: true, description: 'Why; it is signed' },
  ...ADMIN_KEY,
  repo: {
    type: 'string',
    description: 'Git repository to write the order to as well, so that later compiles apply it',
  },
  source: { type: 'string', default: 'instructions', description: 'Folder of the sources in --repo' },
  yes: YES,
  'dry-run': DRY_RUN,
  ...BUNDLE_FLAGS,
} as const satisfies Flags;

/** Flags of `vade rollback`. */
export const ROLLBACK = {
  revision: { type: 'string', required: true, description: 'Root to return to: a folder of roots/ in the bundle' },
  reason: { type: 'string', line: true, required: true, description: 'Why; it is signed' },
  days: { type: 'integer', default: 1, min: 1, max: 30, description: 'How long servers may load it' },
  ...ADMIN_KEY,
  out: { type: 'string', description: 'File that collects signatures if several administrators must sign' },
  yes: YES,
  'dry-run': DRY_RUN,
  ...BUNDLE_FLAGS,
} as const satisfies Flags;

/** Flags of `vade verify`. */
export const VERIFY = {
  agent: { type: 'string', id: true, description: 'Only the garden of this agent, by id or short name' },
  previous: { type: 'string', description: 'Earlier bundle; this one must be no older and consistent with it' },
  ...BUNDLE_FLAGS,
} as const satisfies Flags;

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
