import { isDamaged } from '../../../compiler/io/files/sqlite.ts';
import { isHistoryDamage } from '../git/damage.ts';
import type { Layout } from '../state/files.ts';
import { openState, StateReplaced, type StateFile } from '../state/state-file.ts';
import { mirrorOf, type StateCopy } from './mirror.ts';
import type { OwnerPlace } from './place.ts';
import { createWriter, type Writer, type WriterOptions } from './writer.ts';

/** The copy of git's data, and the writer of both. */
interface Copy {
  readonly state: StateFile;
  readonly mirror: StateCopy;
  readonly writer: Writer;
}

export interface CopyOptions extends WriterOptions {
  readonly layout: Layout;
}

/** A copy that is made again where it is damaged, or where another process has done so; one caller at a time. */
export interface RenewedCopy {
  /**
   * Works as the only writer of all processes; once more if the copy had to be made again, or git could not read its
   * data.
   *
   * @throws StateBusy, what the work throws, Error if it cannot be opened
   */
  readonly alone: <T>(work: (own: Copy) => Promise<T>, mayRepeat: () => boolean) => Promise<T>;
  /** Makes a damaged copy again. @throws StateBusy */
  readonly discard: () => Promise<void>;
  /** Ends git, and joins its packs if there are many. */
  readonly rest: () => Promise<void>;
  readonly subjects: () => number;
  readonly end: () => Promise<void>;
}

/** Maximum time that a batch waits for other processes, in milliseconds. */
const LOCK_MS = 4000;

/** @throws Error if it cannot be opened */
export function openCopy(place: OwnerPlace, options: CopyOptions): RenewedCopy {
  let opened: Copy | null = createCopy(place, options);
  const copy = () => (opened ??= createCopy(place, options));
  const close = async () => {
    await opened?.writer.end();
    opened?.state.end();
    opened = null;
  };
  const discard = async () => {
    const { state, writer } = copy();
    await writer.end();
    await state.discard(LOCK_MS).catch(unlessReplaced);
    await close();
  };
  const attempt = <T>(work: (own: Copy) => Promise<T>) => copy().state.alone(LOCK_MS, () => work(copy()));
  const alone: RenewedCopy['alone'] = async (work, mayRepeat) => {
    try {
      return await attempt(work);
    } catch (error) {
      if (isDamaged(error)) await discard();
      else if (error instanceof StateReplaced) await close();
      else if (!isHistoryDamage(error)) throw error;
      if (!mayRepeat()) throw error;
      options.onTrouble(error);
      return attempt(work);
    }
  };
  return {
    alone,
    discard,
    rest: async () => opened?.writer.rest(),
    subjects: () => copy().mirror.files.subjects(),
    end: close,
  };
}

function createCopy(place: OwnerPlace, options: CopyOptions): Copy {
  const state = openState(place.state);
  const mirror = mirrorOf(place, state, options.layout);
  return { state, mirror, writer: createWriter(place, mirror, options) };
}

/** @throws the error, unless another process has made the copy again */
function unlessReplaced(error: unknown): void {
  if (!(error instanceof StateReplaced)) throw error;
}
