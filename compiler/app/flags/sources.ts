import { ALL, TARGETS } from '../../export/exported-agent.ts';
import { MODEL_MODES } from '../../schema/source/org.ts';
import type { Flags } from '../../world/flags/flag.ts';
import { BUNDLE_FLAGS, DRY_RUN, MODELS, PREVIOUS_TRUST } from '../../world/flags/shared.ts';

/** Flags of `vade archive`. */
export const ARCHIVE = {
  agent: { type: 'string', id: true, required: true, description: 'Agent in mode stigmem, by short name' },
  to: { type: 'string', default: 'docs/legacy-instructions', description: 'Folder to move the files to' },
  repo: { type: 'string', default: '.', description: 'Git repository' },
  source: { type: 'string', default: 'instructions', description: 'Folder of the sources' },
  write: { type: 'boolean', description: 'Move the files; without it nothing is changed' },
} as const satisfies Flags;

/** Flags of `vade export`. */
export const EXPORT = {
  target: {
    type: 'enum',
    values: [...TARGETS, ALL],
    required: true,
    description: 'Format of the files, or all of them',
  },
  agent: { type: 'string', id: true, required: true, description: 'Agent, by short name or ID' },
  out: { type: 'string', default: '.', description: 'Folder to write below: the top of a project' },
  skills: { type: 'string', default: '.agents/skills', description: 'Folder of the skills below --out' },
  check: { type: 'boolean', description: 'Write nothing; fail if a file differs from the bundle' },
  'dry-run': DRY_RUN,
  ...BUNDLE_FLAGS,
} as const satisfies Flags;

/** Flags of `vade model pin`. */
export const MODEL_PIN = {
  name: {
    type: 'string',
    required: true,
    line: true,
    description: 'Model of the hub',
  },
  revision: { type: 'string', description: 'Commit, 40 hex digits; default: the newest that the hub names' },
  from: { type: 'string', description: 'Address of a mirror, or a folder; default: the hub' },
  pooling: { type: 'enum', values: ['mean', 'cls'], description: 'As the model card says; default: mean' },
  'query-prefix': { type: 'string', line: true, description: 'Prefix of queries, such as “query: ”' },
  'passage-prefix': { type: 'string', line: true, description: 'Prefix of indexed texts' },
  mode: {
    type: 'enum',
    values: MODEL_MODES,
    description: 'Combine it with the built-in table, half each, or use it alone',
  },
  repo: { type: 'string', default: '.', description: 'Folder that contains the sources' },
  source: { type: 'string', default: 'instructions', description: 'Folder of the sources, in it' },
  models: MODELS,
  'dry-run': DRY_RUN,
} as const satisfies Flags;

/** Flags of `vade publish`. */
export const PUBLISH = {
  agent: { type: 'string', id: true, required: true, description: 'Agent of the manifest, by short name' },
  admin: { type: 'string', required: true, description: 'Entity URI of the administrator who publishes' },
  'input-file': { type: 'string', required: true, description: 'JSON: version, entries; - for stdin' },
  repo: { type: 'string', default: '.', description: 'Git repository, bare or not' },
  source: { type: 'string', default: 'instructions', description: 'Folder of the sources in the repository' },
  ref: { type: 'string', default: 'main', description: 'Branch to publish to' },
  key: { type: 'string', description: 'Ed25519 signing key in PEM; or VADE_SIGNING_KEY' },
  models: MODELS,
  'dry-run': DRY_RUN,
  ...BUNDLE_FLAGS,
} as const satisfies Flags;

export const LINT = {
  repo: { type: 'string', default: '.', description: 'Folder that contains the sources' },
  source: { type: 'string', default: 'instructions', description: 'Folder of the sources, in it' },
  ref: { type: 'string', description: 'Commit to lint; default: the working tree' },
  fix: { type: 'boolean', description: 'Fix what is safe to fix, in place' },
  report: {
    type: 'enum',
    values: ['text', 'github', 'sarif'],
    default: 'text',
    description: 'Format of the diagnostics: text or workflow commands on stderr, or SARIF 2.1.0 in --out',
  },
  out: { type: 'string', description: 'File for the SARIF report' },
  explain: { type: 'string', description: 'Rule to explain, instead of linting' },
  'dry-run': DRY_RUN,
} as const satisfies Flags;

/** Flags of `vade migrate`. */
export const MIGRATE = {
  from: { type: 'array', required: true, description: 'Markdown files, or folders of Markdown files' },
  agent: { type: 'string', id: true, required: true, description: 'Short name of the agent that gets the units' },
  out: { type: 'string', default: 'instructions', description: 'Folder of the sources' },
  models: MODELS,
  brief: {
    type: 'boolean',
    description: 'Print what a coding agent needs to name, describe and trigger the units; writes nothing',
  },
  part: { type: 'integer', default: 1, min: 1, max: 1000, description: 'Part of the brief' },
  answers: { type: 'array', description: 'Files that answer the brief, one for each part' },
  write: { type: 'boolean', description: 'Write the proposed files' },
  'dry-run': DRY_RUN,
} as const satisfies Flags;

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
