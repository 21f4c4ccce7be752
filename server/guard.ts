import { VadeError } from '../compiler/model/errors.ts';
import { SHARED } from '../compiler/model/uri.ts';

/** Keeps gardens that do not verify from being read again and again. */
export interface Guard {
  /** @throws recall_backend_unavailable where the read fails, or failed a short while ago */
  readonly read: <T>(garden: string, read: () => T) => T;
  readonly isBad: (garden: string) => boolean;
  /** The same guard for the bundle that comes next: these gardens are as they were. */
  readonly after: (unchanged: (garden: string) => boolean) => Guard;
}

/** A garden may have failed for want of a file handle: once in a while it gets another try. */
const RETRY_MS = 60_000;

interface GuardContext {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told once of each garden that does not verify. */
  readonly onBad: (garden: string, error: unknown) => void;
}

export function openGuard({ now, onBad }: GuardContext, known: Iterable<readonly [string, number]> = []): Guard {
  /** Until when each is not read again; those that were good since stay, so that they are told once. */
  const bad = new Map(known);
  const isBad = (garden: string) => (bad.get(garden) ?? -Infinity) > now();
  return {
    read: (garden, read) => {
      if (isBad(garden)) throw unavailable(garden);
      try {
        return read();
      } catch (error) {
        const isNews = !bad.has(garden);
        bad.set(garden, now() + RETRY_MS);
        if (isNews) onBad(garden, error);
        throw unavailable(garden);
      }
    },
    isBad,
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
