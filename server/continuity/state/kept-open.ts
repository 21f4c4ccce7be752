import { VadeError } from '../../../compiler/schema/errors.ts';

/** Something that holds files open. */
interface Opened {
  readonly end: () => void;
  /** Whether they are still the files of their paths; a restored backup has others. Default: they are. */
  readonly isCurrent?: () => boolean;
}

/** The files that were opened for owners last; the one that was not used for longest is closed. */
export interface KeptOpen<T extends Opened> {
  /** @throws what opening throws */
  readonly take: (owner: string, open: () => T) => T;
  /** Works with it; after an error of the system it is opened anew. @throws what opening and the work throw */
  readonly use: <R>(owner: string, open: () => T, work: (opened: T) => R) => R;
  /** Closes it; it is opened again when it is needed. */
  readonly forget: (owner: string) => void;
  readonly end: () => void;
}

/** Each has a few files open. */
const MOST = 128;

export function keepOpen<T extends Opened>(most = MOST): KeptOpen<T> {
  const kept = new Map<string, T>();
  const forget = (owner: string) => {
    kept.get(owner)?.end();
    kept.delete(owner);
  };
  const take: KeptOpen<T>['take'] = (owner, open) => {
    if (kept.get(owner)?.isCurrent?.() === false) forget(owner);
    const opened = kept.get(owner) ?? open();
    // the one used last is the last of the map
    kept.delete(owner);
    kept.set(owner, opened);
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) forget(oldest);
    return opened;
  };
  const use: KeptOpen<T>['use'] = (owner, open, work) => {
    try {
      return work(take(owner, open));
    } catch (error) {
      if (!(error instanceof VadeError)) forget(owner);
      throw error;
    }
  };
  const end = () => {
    for (const owner of [...kept.keys()]) forget(owner);
  };
  return { take, use, forget, end };
}
