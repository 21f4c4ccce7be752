import type { Flags } from './flag.ts';

/** Flags of the trust root that a bundle is verified with. */
export const TRUST_FLAGS = {
  trust: { type: 'string', description: 'Trust root, from outside the repository' },
  dev: { type: 'boolean', description: 'Use the development trust root and key of .vade/' },
} as const satisfies Flags;

/** Flags of every command that reads a bundle (DESIGN §8). */
export const BUNDLE_FLAGS = {
  bundle: { type: 'string', default: 'bundle', description: 'Folder of the bundle' },
  ...TRUST_FLAGS,
} as const satisfies Flags;

/** The flag of every mutating command. */
export const DRY_RUN = { type: 'boolean', description: 'Report what would happen, and change nothing' } as const;

/** The confirmation of what cannot be undone. */
export const YES = { type: 'boolean', description: 'Confirm; without it nothing changes' } as const;

/** Flags of every list. */
export const PAGE_FLAGS = {
  limit: { type: 'integer', default: 20, min: 0, max: 10_000, description: 'Items on a page; 0 for all' },
  cursor: { type: 'string', description: 'meta.pagination.next_cursor of the previous page' },
} as const satisfies Flags;

/** Flag for the place of the audit. */
export const AUDIT = {
  audit: { type: 'string', default: 'audit.db', description: 'SQLite file of the audit, or postgres://…' },
  state: { type: 'string', description: 'Start of the names of its spool and keys; default: the file, or audit' },
} as const satisfies Flags;

/** Flags for the audit of a server. */
export const AUDITING = {
  ...AUDIT,
  intents: {
    type: 'enum',
    values: ['full', 'digest'],
    default: 'full',
    description: 'Store the text of intents, erasable, or only a digest',
  },
  spool: { type: 'integer', default: 64, min: 1, max: 65_536, description: 'MiB on disk while the store is down' },
} as const satisfies Flags;

/** Flag for the database that a server reads for reports. */
export const AUDIT_REPLICA = {
  'audit-replica': {
    type: 'string',
    description: 'postgres://… of a read replica of the audit, for lists and reports; default: --audit',
  },
} as const satisfies Flags;

/** The keys that checkpoints are verified with. */
export const CHECKPOINT_KEY = {
  'checkpoint-key': {
    type: 'string',
    description: 'Public keys in PEM to verify checkpoints with; default: those that the server wrote beside the audit',
  },
} as const satisfies Flags;

/** Flags of a server: where its bundle comes from, and how it loads new revisions. */
export const BUNDLE_ADDRESS = {
  bundle: { type: 'string', default: 'bundle', description: 'Folder of the bundle, or its https: address' },
  poll: { type: 'integer', default: 10, min: 1, max: 86_400, description: 'Seconds between two polls of an address' },
  cache: { type: 'string', default: '.vade/bundles', description: 'Folder for downloaded bundles' },
} as const;

/** The same, and how a server changes from one bundle to the next. */
export const BUNDLE_SOURCE = {
  ...BUNDLE_ADDRESS,
  canary: { type: 'array', description: '<agent>=<revision or serial>: answer this agent from another root' },
  drain: { type: 'integer', default: 0, min: 0, max: 600, description: 'Seconds to serve after readiness fails' },
} as const;

/** Flags of the commands that need to know who may hold a key. */
export const HOLDERS = {
  ...BUNDLE_FLAGS,
  bundle: { type: 'string', default: 'bundle', description: 'Bundle that is served: folder, or https: address' },
  trust: { type: 'string', description: 'Trust root of the bundle; without it and --dev, --source is read' },
  cache: { type: 'string', default: '.vade/bundles', description: 'Folder for downloaded bundles' },
  source: { type: 'string', default: 'instructions', description: 'Folder of the sources in the working tree' },
} as const;

/** Flag for findings of a command in another form, besides its output. */
export const FINDINGS = {
  type: 'enum',
  values: ['text', 'github'],
  default: 'text',
  description: 'github: problems as annotations of a pull request, on stderr',
} as const;

/** The flag of every command with --previous. */
export const PREVIOUS_TRUST = {
  type: 'string',
  description: 'Trust root of --previous, if it differs: for a branch compiled with --dev, main’s',
} as const;

/** The flag of every command that loads an encoder. */
export const MODELS = {
  type: 'string',
  default: '.vade/models',
  description: 'Folder with the models that org.yaml names; hub models are stored here',
} as const;

/** The end of a time window of the audit. */
export const UNTIL = { type: 'string', description: 'End of the time window, as --since; default: now' } as const;

/** The start of a time window of the audit. */
export function sinceFlag<const D extends string>(byDefault: D) {
  const description = 'Start of the time window: all, an age such as 7d or 12h, or an ISO 8601 time';
  return { type: 'string', default: byDefault, description } as const;
}

export const ADMIN_KEY = {
  key: { type: 'string', description: 'Your Ed25519 key in PEM; or VADE_ADMIN_KEY' },
} as const satisfies Flags;

/** The sources that a command reads the chain of trust roots from. */
export const TRUST_SOURCES = {
  type: 'string',
  default: 'instructions',
  description: 'Folder of the sources in the working tree; the trust roots are in its trust/',
} as const;

/** The control plane, whose tokens wake agents (§21.1.5 S1); all three flags or none. */
export const CONTROL_PLANE = {
  jwks: {
    type: 'string',
    description: 'File of the control plane’s public keys, a JWKS; with --issuer and --audience',
  },
  issuer: { type: 'string', description: 'Value of iss in its tokens' },
  audience: { type: 'string', description: 'Value of aud in its tokens' },
} as const satisfies Flags;

/** Flags of a thing with a history: a unit, an atom or a role. */
export const SOURCE_FLAGS = {
  agent: {
    type: 'string',
    id: true,
    description: 'Agent, by id or short name, or shared; with --unit, this or --atom or --role',
  },
  unit: { type: 'string', id: true, description: 'Name of the unit; with --agent, this or --atom or --role' },
  atom: { type: 'string', description: 'Atom, such as policy::no-git-ops' },
  role: { type: 'string', id: true, description: 'Role, such as edit-local' },
} as const;
