import type { Flags } from './flag.ts';
import {
  ADMIN_KEY,
  AUDIT,
  BUNDLE_FLAGS,
  CHECKPOINT_KEY,
  DRY_RUN,
  FINDINGS,
  MODELS,
  PREVIOUS_TRUST,
  TRUST_FLAGS,
  UNTIL,
  sinceFlag,
} from './shared.ts';

/** Flags of `vade brief phrases` and `vade brief probes`. */
export const BRIEF = {
  agent: { type: 'string', id: true, required: true, description: 'Agent, by short name; of phrases also shared' },
  unit: { type: 'string', id: true, description: 'Only for this unit' },
  missing: { type: 'boolean', description: 'Only for units that have none yet, or for another text' },
  part: { type: 'integer', default: 1, min: 1, max: 10_000, description: 'Part to print, if the brief has several' },
  repo: { type: 'string', default: '.', description: 'Folder that contains the sources' },
  source: { type: 'string', default: 'instructions', description: 'Folder of the sources, in it' },
} as const satisfies Flags;

/** Flags of `vade brief take`. */
export const BRIEF_TAKE = {
  file: {
    type: 'string',
    required: true,
    description: 'Answer of a brief, JSON or YAML; - for stdin',
  },
  'dry-run': DRY_RUN,
  repo: { type: 'string', default: '.', description: 'Folder that contains the sources' },
  source: { type: 'string', default: 'instructions', description: 'Folder of the sources, in it' },
  models: MODELS,
} as const satisfies Flags;

/** Flags of `vade comment`. */
export const COMMENT = {
  base: {
    type: 'string',
    description: 'Folder of the bundle before, as main’s compile wrote it',
  },
  head: { type: 'string', default: 'bundle', description: 'Folder of the bundle after' },
  'base-trust': { type: 'string', description: 'Trust root of the base; default: that of the head' },
  result: { type: 'array', description: 'JSON that vade compile or vade lint printed, for its diagnostics' },
  replay: { type: 'string', description: 'JSON that vade replay printed, for recalls of the audit that change' },
  comparison: { type: 'string', description: 'JSON that this command printed before, to be shown; untrusted' },
  format: {
    type: 'enum',
    values: ['json', 'markdown', 'text'],
    description: 'Default on a terminal: text, which is the Markdown',
  },
  models: MODELS,
  ...TRUST_FLAGS,
} as const satisfies Flags;

/** Flags of `vade probe`. */
export const PROBE = {
  agent: { type: 'string', id: true, description: 'Agent, by short name; default: all that have probes' },
  k: {
    type: 'integer',
    min: 1,
    max: 50,
    description:
      'Lowest rank that counts as found; default: from org.yaml; its least coverage applies only to that rank',
  },
  previous: { type: 'string', description: 'Earlier bundle to compare with' },
  'previous-trust': PREVIOUS_TRUST,
  'max-lost': {
    type: 'integer',
    min: 0,
    max: 1000,
    description: 'Fail if more probes than this are lost; default: max_lost of org.yaml',
  },
  report: FINDINGS,
  repo: { type: 'string', default: '.', description: 'Folder that contains the sources' },
  source: { type: 'string', default: 'instructions', description: 'Folder of the sources, in it' },
  ref: { type: 'string', description: 'Commit to read probes from; default: the working tree' },
  models: MODELS,
  ...BUNDLE_FLAGS,
} as const satisfies Flags;

/** Flags of `vade probe suggest`. */
export const PROBE_SUGGEST = {
  agent: { type: 'string', id: true, required: true, description: 'Agent, by id or short name' },
  since: sinceFlag('30d'),
  until: UNTIL,
  limit: { type: 'integer', default: 20, min: 0, max: 1000, description: 'Probes to propose; 0 for all' },
  k: { type: 'integer', default: 3, min: 1, max: 50, description: 'Lowest rank that counts as found' },
  out: { type: 'string', description: 'New file for the YAML, outside the sources' },
  repo: { type: 'string', default: '.', description: 'Folder that contains the sources' },
  source: { type: 'string', default: 'instructions', description: 'Folder of the sources, with the existing probes' },
  models: MODELS,
  ...AUDIT,
  ...BUNDLE_FLAGS,
} as const satisfies Flags;

/** Flags of `vade replay`. */
export const REPLAY = {
  agent: { type: 'string', id: true, description: 'Agent, by id or short name; default: all' },
  since: sinceFlag('all'),
  until: UNTIL,
  'as-recorded': {
    type: 'boolean',
    description: 'Repeat each recall with the revision that answered it, if the bundle still has it',
  },
  'max-worse': { type: 'integer', min: 0, description: 'Fail if more recalls than this get worse' },
  limit: { type: 'integer', default: 20, min: 0, max: 10_000, description: 'Changed recalls to list; 0 for all' },
  report: FINDINGS,
  'show-intents': { type: 'boolean', description: 'Print the intents of the audit' },
  models: MODELS,
  ...AUDIT,
  ...BUNDLE_FLAGS,
} as const satisfies Flags;

/** Flags of `vade shadow`. */
export const SHADOW = {
  agent: { type: 'string', id: true, required: true, description: 'Agent, by id or short name' },
  since: sinceFlag('7d'),
  until: UNTIL,
  limit: { type: 'integer', default: 20, min: 0, max: 10_000, description: 'Heartbeats to list; 0 for all' },
  attest: { type: 'boolean', description: 'Sign that the agent may move to its next migration stage' },
  ...ADMIN_KEY,
  repo: { type: 'string', default: '.', description: 'Git repository to write the evidence to' },
  source: { type: 'string', default: 'instructions', description: 'Folder of the sources' },
  ref: { type: 'string', default: 'HEAD', description: 'Commit before the move' },
  'dry-run': DRY_RUN,
  ...AUDIT,
  ...CHECKPOINT_KEY,
  ...BUNDLE_FLAGS,
} as const satisfies Flags;

/** Flags of `vade metrics`. */
export const METRICS = {
  agent: { type: 'string', id: true, description: 'One agent, by id or short name' },
  since: sinceFlag('7d'),
  until: UNTIL,
  k: { type: 'array', description: 'Depths from 1 to 50, default 1,3,10' },
  'fail-on-alert': { type: 'boolean', description: 'Fail on a miss rate alert or an overdue re-certification' },
  ...AUDIT,
  ...BUNDLE_FLAGS,
} as const satisfies Flags;

/** Flags of `vade report`. */
export const REPORT = {
  out: { type: 'string', required: true, description: 'File to write or replace' },
  previous: { type: 'string', description: 'Earlier bundle to compare with' },
  'previous-trust': PREVIOUS_TRUST,
  audit: { type: 'string', description: 'SQLite file of the audit, or postgres://…' },
  state: AUDIT.state,
  since: sinceFlag('28d'),
  'dry-run': DRY_RUN,
  ...BUNDLE_FLAGS,
} as const satisfies Flags;

/** Flags of `vade recall`. */
export const RECALL = {
  agent: { type: 'string', id: true, required: true, description: 'Agent, by id or short name' },
  intent: { type: 'string', description: 'What the agent is about to do' },
  'input-file': { type: 'string', description: 'JSON request instead of the flags; - for stdin' },
  'max-chunks': {
    type: 'integer',
    default: 3,
    min: 1,
    max: 50,
    description: 'Units to return at most',
  },
  'token-budget': {
    type: 'integer',
    default: 2000,
    min: 1,
    max: 100_000,
    description: 'Soft budget in tokens',
  },
  candidates: {
    type: 'integer',
    default: 0,
    min: 0,
    max: 50,
    description: 'Next best units to name, with their descriptions',
  },
  hint: { type: 'array', description: 'Unit to load first, by name or URI; may be repeated' },
  files: { type: 'array', description: 'File of the work, relative to the repository; may be repeated' },
  explain: {
    type: 'boolean',
    description: 'Every unit with its scores, and why it is returned or not',
  },
  audit: { type: 'string', description: 'Audit that records the answer; default: none' },
  state: { type: 'string', description: 'Start of the names of its spool and keys' },
  models: MODELS,
  ...BUNDLE_FLAGS,
} as const satisfies Flags;
