import { VadeError } from '../../compiler/schema/errors.ts';
import { CAPSULES } from './capsules/layout.ts';
import type { HeldOf } from './continuity.ts';
import type { SubjectName } from './state/files.ts';
import { keepOpen } from './state/kept-open.ts';
import { openReader, resultOf, type OwnerReader, type ReadCopy } from './store/owner-reader.ts';
import { ownerPlaceOf } from './store/place.ts';
import { scanFor } from './store/raw-scan.ts';
import type { WriterThread } from './thread/start-writer.ts';

const ATTEMPTS = 10;

/** Reads the copies of owners; one that is behind follows first, and is read again. Others may write in between. */
export interface OwnerReading {
  /** @throws continuity_unavailable */
  readonly current: <T>(owner: string, read: (reader: OwnerReader) => T | null) => Promise<T>;
  /** The same of subjects, from what there is if the copy cannot follow. @throws continuity_unavailable */
  readonly heldOf: (owner: string, subjects: readonly SubjectName[]) => Promise<HeldOf>;
  readonly end: () => void;
}

export function createReading(root: string, thread: () => WriterThread): OwnerReading {
  const readers = keepOpen<OwnerReader>();
  const readCopy = <T>(owner: string, read: (reader: OwnerReader) => T | null): ReadCopy<T> =>
    resultOf(ownerPlaceOf(root, owner).state, () => readers.use(owner, () => openReader(root, owner, CAPSULES), read));
  const current: OwnerReading['current'] = async (owner, read) => {
    for (let count = 0; count < ATTEMPTS; count++) {
      const { found, damaged } = readCopy(owner, read);
      if (found !== null) return found;
      readers.forget(owner);
      await thread().follow(owner, damaged);
    }
    throw new VadeError('continuity_unavailable', 'the store is being written to; retry');
  };
  const heldOf: OwnerReading['heldOf'] = async (owner, subjects) => {
    if (subjects.length === 0) return { files: [], index: 'current' };
    const read = (it: OwnerReader) => it.heldAll(subjects);
    const { found, damaged } = readCopy(owner, read);
    if (found !== null) return { files: found, index: 'current' };
    const hasCopy = damaged === null && (readCopy(owner, (it) => it.hasCopy).found ?? false);
    try {
      return { files: await current(owner, read), index: hasCopy ? 'current' : 'missing' };
    } catch (error) {
      const behind = hasCopy ? readCopy(owner, (it) => it.heldBehind(subjects)).found : null;
      if (behind !== null) return { files: behind, index: 'stale' };
      const scanned = await scanFor(ownerPlaceOf(root, owner), CAPSULES, subjects).catch(() => null);
      if (scanned === null) throw error;
      return { files: scanned, index: 'missing' };
    }
  };
  return { current, heldOf, end: readers.end };
}
