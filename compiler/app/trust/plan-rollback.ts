import { existsSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { returnTo } from '../../io/bundle/change-sidecars.ts';
import { currentRevision } from '../../io/bundle/open-bundle.ts';
import { replaceFile } from '../../io/files/durable.ts';
import type { Rollback } from '../../schema/bundle/rollback.ts';
import { VadeError } from '../../schema/errors.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { pinnedRoot } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';
import { adminKey } from '../approve/admin-key.ts';
import type { ROLLBACK } from '../flags/trust.ts';
import { toSecond } from '../to-second.ts';
import { addConsent, verifyRetainedRoot, type RollbackConsent } from './rollback-consent.ts';

const DAY_MS = 86_400_000;

type RollbackFlags = Arguments<typeof ROLLBACK>;

/** A signed rollback that is not written yet. */
interface RollbackPlan {
  readonly folder: string;
  readonly from: string;
  readonly to: string;
  readonly consent: RollbackConsent;
  /** Absolute path of the file that collects signatures; null without one. */
  readonly path: string | null;
  /** The same, relative to the caller's folder. */
  readonly out: string | null;
  /** Whether the bundle already is as the rollback would make it. */
  readonly noop: boolean;
  /** Why the root's freshness must be signed again; null if it need not be. */
  readonly stale: string | null;
}

/**
 * Verifies the older root and signs the permission to return to it. Nothing is written.
 *
 * @throws trust_required, signing_key_required, bundle_not_found, bundle_unverified, argument_invalid,
 * approval_required, already_exists
 */
export async function planRollback(flags: RollbackFlags, world: World): Promise<RollbackPlan> {
  const { revision: to } = flags;
  const pinned = pinnedRoot(flags, world);
  const signer = adminKey(flags, world);
  const folder = resolve(world.cwd, flags.bundle);
  const from = currentRevision(folder);
  assertKept(folder, to);
  const now = world.now();
  const kept = await verifyRetainedRoot(folder, { revision: to, pinned, now: now.toISOString() });
  const path = flags.out === undefined ? null : resolve(world.cwd, flags.out);
  const consent = addConsent(permission(flags, kept.bundle.root.predicate.deployment, now), kept, signer, path);
  const noop = consent.isInPlace && from === to;
  return { folder, from, to, consent, path, out: path && relative(world.cwd, path), noop, stale: kept.stale };
}

/** @throws bundle_not_found */
function assertKept(folder: string, revision: string): void {
  const roots = existsSync(join(folder, 'roots')) ? readdirSync(join(folder, 'roots')) : [];
  if (roots.includes(revision)) return;
  const kept = roots.sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10));
  throw new VadeError('bundle_not_found', `roots/ does not keep ${revision}; it keeps ${kept.join(', ') || 'none'}`, {
    kept,
  });
}

function permission({ revision, reason, days }: RollbackFlags, deployment: string, now: Date): Rollback {
  return { deployment, revision, reason, expires: toSecond(new Date(now.getTime() + days * DAY_MS)) };
}

/**
 * Writes the permission, and makes the root current if enough administrators have signed.
 *
 * @throws file_locked, output_failed
 */
export function applyRollback({ folder, from, to, consent, path, noop }: RollbackPlan): void {
  const { envelope, allowed, isInPlace } = consent;
  if (noop) return;
  if (path !== null && !isInPlace) replaceFile(path, envelope, { folders: true });
  if (allowed) returnTo(folder, { from, to, permission: isInPlace ? null : envelope });
}
