import type { Flags } from '../../world/flags/flag.ts';
import { BUNDLE_FLAGS, DRY_RUN, MODELS, PREVIOUS_TRUST } from '../../world/flags/shared.ts';

const { trust, dev } = BUNDLE_FLAGS;

export const COMPILE = {
  repo: { type: 'string', default: '.', description: 'Git repository' },
  source: {
    type: 'string',
    default: 'instructions',
    description: 'Folder of the sources in the repository',
  },
  ref: { type: 'string', default: 'HEAD', description: 'Commit to compile' },
  out: { type: 'string', default: 'bundle', description: 'Folder of the bundle to write' },
  previous: {
    type: 'string',
    description:
      'Earlier bundle: its unchanged gardens are reused, with the same bytes, and its facts keep their text; default: the facts of the bundle in --out, unless --dev; none compares nothing',
  },
  'previous-trust': PREVIOUS_TRUST,
  base: {
    type: 'string',
    description:
      'Branch that the ref will be merged into, default: the trunk; approvers with newer commits are reported',
  },
  key: {
    type: 'string',
    description: 'Ed25519 signing key in PEM; or VADE_SIGNING_KEY; --dry-run needs none, so a branch can be checked',
  },
  models: MODELS,
  'skip-coverage-gate': {
    type: 'boolean',
    description: 'Bypass the coverage gate where administrators approved it; the deadline for passing it is a week',
  },
  'allow-quarantine': {
    type: 'boolean',
    description: 'Quarantine units that fail a security rule, instead of failing',
  },
  'dry-run': DRY_RUN,
  trust,
  dev,
} as const satisfies Flags;
