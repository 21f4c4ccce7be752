import { openSealed } from './open-sealed.ts';
import { asFields, fieldOf, textOf, textOrNull, textsOf } from './read-json.ts';

/** As the schema of trust roots names it; a test compares the two. */
export const ROOT_TYPE = 'application/vnd.vademecum.trust-root+json';

/** A key of an administrator. */
interface AdminKey {
  readonly owner: string;
  readonly pem: string;
}

/** The part of the trust root that the gate reads. */
export interface PinnedRoot {
  readonly deployment: string;
  /** A root of `--dev`, under which nothing needs an approval. */
  readonly development: boolean;
  /** The keys of administrators that are valid now, by fingerprint. */
  readonly admins: ReadonlyMap<string, AdminKey>;
  /** Number of administrators who must approve. */
  readonly approval: number;
  /** Number of those who must approve if no commit key proves who wrote the text. */
  readonly unproven: number;
}

/**
 * Reads the trust root that a person pinned when the hook was installed. It is exactly that file, or none: no chain is
 * followed, so no key of a later root counts before a person has installed the hook again.
 *
 * @param fingerprint sha256 of the file as it was written, from the hook's command line
 * @throws if it is another file, or not in force
 */
export function readPinnedRoot(bytes: Buffer, fingerprint: string, now: number): PinnedRoot {
  const sealed = openSealed(bytes, ROOT_TYPE);
  if (sealed.fingerprint !== fingerprint) throw new TypeError('the trust root is not the one that the hook names');
  const root = asFields(JSON.parse(sealed.payload.toString('utf8')));
  const expires = textOrNull(root, 'expires');
  if (isOver(expires, now)) throw new TypeError('the trust root has expired: install the hook with a newer one');
  const thresholds = asFields(fieldOf(root, 'thresholds'));
  const approval = countOf(thresholds, 'approval');
  const hasUnproven = Object.hasOwn(thresholds, 'unproven_authors');
  return {
    deployment: textOf(root, 'deployment'),
    development: Object.hasOwn(root, 'development') && root['development'] === true,
    admins: adminsOf(root, now),
    approval,
    unproven: Math.max(approval, hasUnproven ? countOf(thresholds, 'unproven_authors') : 1),
  };
}

/** Whether a time has come; an unreadable time is over. */
export function isOver(instant: string | null, now: number): boolean {
  if (instant === null) return false;
  const at = Date.parse(instant);
  return Number.isNaN(at) || at <= now;
}

function adminsOf(root: Readonly<Record<string, unknown>>, now: number): Map<string, AdminKey> {
  const names = new Set(textsOf(root, 'admins'));
  const keys = Object.entries(asFields(fieldOf(root, 'keys'))).flatMap(([id, value]) => {
    const key = asFields(value);
    if (!Object.hasOwn(key, 'owner')) return [];
    const owner = textOf(key, 'owner');
    const expires = Object.hasOwn(key, 'expires') ? textOf(key, 'expires') : null;
    if (!names.has(owner) || isOver(expires, now)) return [];
    return [[id, { owner, pem: textOf(key, 'public') }] as const];
  });
  return new Map(keys);
}

function countOf(from: Readonly<Record<string, unknown>>, name: string): number {
  const value = fieldOf(from, name);
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1)
    throw new TypeError(`${name} is not a valid count`);
  return value;
}
