import { canonicalJson } from '../../trust/canonical.ts';
import { timeOf } from '../capsule/clock.ts';
import { healthOf, verificationOf } from '../capsule/state-of.ts';
import type { Capsule } from '../schema/capsule.ts';
import type { FallbackSnapshot } from '../schema/envelopes.ts';
import type { RecoveryWarning } from '../schema/warnings.ts';
import { fallbackPath } from './paths.ts';

/** Makes the fallback of a capsule from it and its canonical JSON. */
export type MakeFallback = (capsule: Capsule, bytes: Buffer, path: string, now: number) => Buffer;

/** The files that are written with a capsule: the active file and its fallback, in one commit. */
export interface Persisted {
  readonly writes: ReadonlyMap<string, Buffer>;
  readonly recovery_warnings: RecoveryWarning[];
}

/**
 * Writes of an active capsule. A fallback that cannot be made is a warning: the agent's text must not be lost for that.
 *
 * @param bytes canonical JSON of the capsule
 */
export function persist(
  path: string,
  capsule: Capsule,
  bytes: Buffer,
  now: number,
  makeFallback: MakeFallback = fallbackSnapshot,
): Persisted {
  const writes = new Map([[path, bytes]]);
  try {
    writes.set(fallbackPath(path), makeFallback(capsule, bytes, path, now));
    return { writes, recovery_warnings: [] };
  } catch {
    return { writes, recovery_warnings: ['continuity_fallback_write_failed'] };
  }
}

/** The capsule as it was last written, in its envelope. */
function fallbackSnapshot(capsule: Capsule, bytes: Buffer, path: string, now: number): Buffer {
  const about: Omit<FallbackSnapshot, 'capsule'> = {
    schema_type: 'continuity_fallback_snapshot',
    schema_version: '1.0',
    captured_at: timeOf(now),
    source_path: path,
    verification_status: verificationOf(capsule),
    health_status: healthOf(capsule).status,
  };
  // canonical JSON too: `capsule` comes before the other members, and its text is half of the work of a write
  return Buffer.concat([Buffer.from('{"capsule":'), bytes, Buffer.from(`,${canonicalJson(about).slice(1)}`)]);
}

/**
 * The message of a mutation's commit: the agent's own, or the action. An id may hold line breaks; a message may not.
 */
export function messageFor(verb: string, kind: string, id: string, own: string | null | undefined): string {
  const message = (own ?? '').trim() === '' ? `continuity: ${verb} ${kind} ${id}` : (own ?? '');
  // NUL ends a commit's message for git
  return message.replaceAll('\0', ' ').replace(/\s+/g, ' ').trim();
}
