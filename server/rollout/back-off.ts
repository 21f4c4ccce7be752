import { VadeError } from '../../compiler/schema/errors.ts';
import { reasonOf } from '../../compiler/schema/refusals.ts';
import { SHARED } from '../../compiler/schema/uri.ts';

/** Keeps gardens that do not verify from being read again and again. */
export interface BackOff {
  /** @throws recall_backend_unavailable where the read fails, or failed a short while ago */
  readonly read: <T>(garden: string, read: () => T) => T;
  readonly isBad: (garden: string) => boolean;
  /** Those whose last read failed. */
  readonly failing: () => readonly FailingGarden[];
  /** Lets a garden be read again at once, and be told again where it fails: its files are others now. */
  readonly forgive: (garden: string) => void;
  /** The same guard for the bundle that comes next: these gardens are as they were. */
  readonly after: (unchanged: (garden: string) => boolean) => BackOff;
}

/** A garden that is answered with 503. */
export interface FailingGarden {
  readonly garden: string;
  /** A reason of `REFUSALS`, else an error code. */
  readonly reason: string;
  /** Whether it may answer later although nobody does anything about it. */
  readonly retryable: boolean;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** What a garden's guard tells of; each happening is told once. */
interface BackOffEvents {
  readonly onBad: (failing: FailingGarden, error: unknown) => void;
  /** A garden that was bad verifies again. */
  readonly onGood: (garden: string) => void;
}

export interface BackOffContext extends BackOffEvents {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Whether a mirror brings anew what is damaged. */
  readonly isMirrored: boolean;
}

/** A garden may have failed for want of a file handle: once in a while it gets another try. */
const RETRY_MS = 60_000;

/** What a disk does to files, and a mirror brings anew; for anything else others have to compile, approve or sign. */
const DAMAGED = ['digest_mismatch', 'envelope_malformed', 'file_missing', 'file_unexpected', 'file_unreadable'];

/** One that was read since it failed is kept without a failure, so that it is told of once. */
interface Known {
  readonly failure: FailingGarden | null;
  /** Until when it is not read again. */
  readonly until: number;
}

export function openBackOff(context: BackOffContext, known: Iterable<readonly [string, Known]> = []): BackOff {
  const { now } = context;
  const seen = new Map(known);
  const isBad = (garden: string) => (seen.get(garden)?.until ?? -Infinity) > now();
  const failed = (garden: string, error: unknown): VadeError => {
    const before = seen.get(garden);
    const reason = reasonOf(error);
    const since = before?.failure?.since ?? now();
    const failure = { garden, reason, retryable: isRetryable(reason, context), since };
    seen.set(garden, { failure, until: now() + RETRY_MS });
    if (before === undefined) context.onBad(failure, error);
    return unavailable(failure);
  };
  const held = (garden: string) => {
    if (!seen.get(garden)?.failure) return;
    seen.set(garden, { failure: null, until: -Infinity });
    context.onGood(garden);
  };
  return {
    read: (garden, read) => {
      const failure = isBad(garden) ? seen.get(garden)?.failure : null;
      if (failure) throw unavailable(failure);
      try {
        const found = read();
        held(garden);
        return found;
      } catch (error) {
        throw failed(garden, error);
      }
    },
    isBad,
    failing: () => [...seen.values()].flatMap(({ failure }) => failure ?? []),
    forgive: (garden) => void seen.delete(garden),
    after: (unchanged) =>
      openBackOff(
        context,
        [...seen].filter(([garden]) => unchanged(garden)),
      ),
  };
}

/** A file that cannot be read may be read later: the disk was busy, or the handles were spent. */
function isRetryable(reason: string, { isMirrored }: BackOffContext): boolean {
  return reason === 'file_unreadable' || (isMirrored && DAMAGED.includes(reason));
}

function unavailable({ garden, reason, retryable }: FailingGarden): VadeError {
  const what = garden === SHARED ? 'the shared garden' : `garden ${garden}`;
  const message = `${what} does not verify and is not served`;
  return new VadeError('recall_backend_unavailable', message, { reason, retryable });
}
