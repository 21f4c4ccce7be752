import { VadeError } from '../../schema/errors.ts';
import { lockedShapes } from '../../schema/json/locked-shapes.ts';
import { instant } from '../../schema/primitives.ts';
import { LOCK_SECONDS, type Approval, type UsedApproval } from '../../schema/source/approval.ts';
import type { TrustRoot } from '../../schema/source/trust-root.ts';
import { CAPABILITIES } from '../../schema/uri.ts';
import { openApproval } from '../../trust/approval.ts';
import { canonicalJson, sha256 } from '../../trust/canonical.ts';

/** What anyone who is stopped by a lock does. */
export const LOCK_HELP =
  'use a version of vade with the locked shapes, or let administrators end the lock: vade approve --kind schema_unlock --note <why> --key <PEM>';

/** sha256 of the shapes of atoms, roles and tasks that this program has. It costs milliseconds: ask only about a lock. */
export function shapesDigest(): string {
  return sha256(canonicalJson(lockedShapes()));
}

/** When a lock ends by itself: at its expiry, at most three weeks after it was first filed. @param filed ISO 8601 */
export function lockEnd(expires: string | null, filed: string): string {
  const longest = Date.parse(filed) / 1000 + LOCK_SECONDS;
  return instant(Math.min(longest, expires === null ? longest : Date.parse(expires) / 1000));
}

/** Whether an approval is a lock as `vade approve` writes it. */
export function hasLockForm({ kind, garden, unit, value, digest }: Approval): boolean {
  return kind === 'schema_lock' && garden === CAPABILITIES && unit === null && value === digest;
}

/** Values that enough administrators gave, whatever number of envelopes they signed; each administrator counts once. */
export function lockedBy(
  given: readonly { readonly value: string; readonly by: readonly string[] }[],
  needed: number,
): ReadonlyMap<string, readonly string[]> {
  const people = new Map<string, Set<string>>();
  for (const { value, by } of given) people.set(value, new Set([...(people.get(value) ?? []), ...by]));
  return new Map([...people].filter(([, by]) => by.size >= needed).map(([value, by]) => [value, [...by].sort()]));
}

/** A verified garden of atoms and roles, as far as its locks are concerned. */
export interface LockableGarden {
  readonly deployment: string;
  readonly used: readonly UsedApproval[];
  readonly files: ReadonlyMap<string, Buffer>;
}

/**
 * Refuses to work with a bundle whose administrators locked other shapes than this program has. It reads the approvals in the
 * bundle once more, so nobody but administrators can stop it.
 *
 * @param now ISO 8601
 * @param shapes the digest of this program's shapes
 * @throws schema_locked
 */
export function assertShapesFree(
  garden: LockableGarden,
  root: TrustRoot,
  now: string,
  shapes: () => string = shapesDigest,
): void {
  const locks = garden.used
    .filter(({ kind }) => kind === 'schema_lock')
    .flatMap((it) => locksIn(it, garden, root, now));
  if (locks.length === 0) return;
  const own = shapes();
  const other = [...lockedBy(locks, root.thresholds.approval)].find(([value]) => value !== own);
  if (other === undefined) return;
  const until = locks.find(({ value }) => value === other[0])?.until;
  const message = `${other[1].join(', ')} locked the shapes ${other[0].slice(0, 12)} until ${until ?? ''}; this vade has ${own.slice(0, 12)}`;
  throw new VadeError('schema_locked', message, { suggestion: LOCK_HELP });
}

/** The locks of one entry that are in force now; its `expires` says when the compile found that they end. */
function locksIn({ files, expires }: UsedApproval, garden: LockableGarden, root: TrustRoot, now: string) {
  return files.flatMap((path) => {
    const given = opened(garden.files.get(path), root, now);
    if (given === null || !hasLockForm(given.approval) || given.approval.deployment !== garden.deployment) return [];
    const ends = [expires, given.approval.expires].flatMap((it) => it ?? []).map((it) => Date.parse(it));
    const until = Math.min(...ends);
    if (until <= Date.parse(now)) return [];
    return [{ value: given.approval.value, by: given.by, until: instant(until / 1000) }];
  });
}

function opened(bytes: Buffer | undefined, root: TrustRoot, now: string) {
  try {
    return bytes === undefined ? null : openApproval(bytes, root, now);
  } catch (error) {
    if (error instanceof VadeError) return null;
    throw error;
  }
}
