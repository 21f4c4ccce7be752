import { sha256 } from '../../trust/canonical.ts';
import { millisecondsOf } from '../capsule/clock.ts';
import { encode } from '../capsule/complete-capsule.ts';
import { damaged } from '../capsule/refusals.ts';
import { checkNewer } from '../capsule/stale-write.ts';
import type { Capsule } from '../schema/capsule.ts';
import type { RecoveryWarning } from '../schema/warnings.ts';
import { persist, type MakeFallback } from './persist.ts';
import { requireActive } from './resolve.ts';
import type { SubjectFiles } from './subject.ts';

/** The result of a change of the active capsule. */
export interface Changed {
  readonly writes: ReadonlyMap<string, Buffer>;
  readonly updated: boolean;
  readonly capsule_sha256: string;
  readonly recovery_warnings: RecoveryWarning[];
}

/**
 * The active capsule, for a change that keeps most of it.
 *
 * @throws VadeError `capsule_not_found`, `capsule_damaged`
 */
export function changeable(files: SubjectFiles): Capsule {
  const capsule = requireActive(files);
  // a change would store it again, and only a whole new capsule can say when it was verified
  if (millisecondsOf(capsule.verified_at) === null) throw damaged(files.path, 'verified_at is not a time');
  return capsule;
}

/** The same for a write that carries its `updated_at`. @throws VadeError `capsule_stale` too */
export function changeableBefore(files: SubjectFiles, updated_at: string, now: number): Capsule {
  const capsule = changeable(files);
  checkNewer(updated_at, capsule.updated_at, now);
  return capsule;
}

/** Stores a changed capsule and its fallback; nothing, if the bytes are those that are stored. */
export function storeChanged(files: SubjectFiles, capsule: Capsule, now: number, makeFallback?: MakeFallback): Changed {
  const bytes = encode(capsule);
  const capsule_sha256 = sha256(bytes);
  if (files.active?.equals(bytes) === true)
    return { writes: new Map(), updated: false, capsule_sha256, recovery_warnings: [] };
  return { ...persist(files.path, capsule, bytes, now, makeFallback), updated: true, capsule_sha256 };
}
