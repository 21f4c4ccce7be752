import { VadeError } from '../compiler/model/errors.ts';
import { SHARED } from '../compiler/model/uri.ts';

/** Keeps gardens that do not verify from being read again and again. */
export interface Guard {
  /** @throws recall_backend_unavailable where the read fails, or failed a short while ago */
  readonly read: <T>(garden: string, read: () => T) => T;
  readonly isBad: (garden: string) => boolean;
  /** Those whose last read failed. */
  readonly failing: () => string[];
  /** Lets a garden be read again at once, and be told again where it fails: its files are others now. */
  readonly forgive: (garden: string) => void;
  /** The same guard for the bundle that comes next: these gardens are as they were. */
  readonly after: (unchanged: (garden: string) => boolean) => Guard;
}

/** A garden may have failed for want of a file handle: once in a while it gets another try. */
const RETRY_MS = 60_000;

/** Of a garden that was read since it failed. */
const GOOD = -Infinity;

interface GuardContext {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told once of each garden that does not verify. */
  readonly onBad: (garden: string, error: unknown) => void;
}

export function openGuard({ now, onBad }: GuardContext, known: Iterable<readonly [string, number]> = []): Guard {
  /** Until when each is not read again; those that were good since stay, so that they are told once. */
  const bad = new Map(known);
  const isBad = (garden: string) => (bad.get(garden) ?? GOOD) > now();
  return {
    read: (garden, read) => {
      if (isBad(garden)) throw unavailable(garden);
      try {
        const found = read();
        if (bad.has(garden)) bad.set(garden, GOOD);
        return found;
      } catch (error) {
        const isNews = !bad.has(garden);
        bad.set(garden, now() + RETRY_MS);
        if (isNews) onBad(garden, error);
        throw unavailable(garden);
      }
    },
    isBad,
    failing: () => [...bad].filter(([, until]) => until !== GOOD).map(([garden]) => garden),
    forgive: (garden) => void bad.delete(garden),
    after: (unchanged) =>
      openGuard(
        { now, onBad },
        [...bad].filter(([garden]) => unchanged(garden)),
      ),
  };
}

function unavailable(garden: string): VadeError {
  const what = garden === SHARED ? 'the shared garden' : `garden ${garden}`;
  return new VadeError('recall_backend_unavailable', `${what} does not verify and is not served`);
}
