import { VadeError } from '../../compiler/schema/errors.ts';
import { reasonOf } from '../../compiler/schema/refusals.ts';
import { SHARED } from '../../compiler/schema/uri.ts';

/** Prevents repeated reads of gardens that do not verify. */
export interface BackOff {
  /** @throws recall_backend_unavailable if the read fails, or failed recently */
  readonly read: <T>(garden: string, read: () => T) => T;
  readonly isBad: (garden: string) => boolean;
  /** Gardens whose last read failed. */
  readonly failing: () => readonly FailingGarden[];
  /**
   * Forgets a garden's failure, because its files were replaced: it is read again at once, and a failure is reported
   * again.
   */
  readonly forget: (garden: string) => void;
  /** The back-off for the next bundle, which keeps the failures of unchanged gardens. */
  readonly after: (unchanged: (garden: string) => boolean) => BackOff;
}

/** A garden whose requests are answered with 503. */
export interface FailingGarden {
  readonly garden: string;
  /** A reason of `REFUSALS`, else an error code. */
  readonly reason: string;
  /** Whether it may recover without intervention. */
  readonly retryable: boolean;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** Events of the back-off; each is reported once. */
interface BackOffEvents {
  readonly onBad: (failing: FailingGarden, error: unknown) => void;
  /** Called when a failed garden verifies again. */
  readonly onGood: (garden: string) => void;
}

export interface BackOffContext extends BackOffEvents {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Whether a mirror replaces damaged files. */
  readonly isMirrored: boolean;
}

/** Retry interval: a garden may have failed only because no file handle was free. */
const RETRY_MS = 60_000;

/** Damage to files, which a mirror can repair; any other reason needs a new compilation, approval or signature. */
const DAMAGED = ['digest_mismatch', 'envelope_malformed', 'file_missing', 'file_unexpected', 'file_unreadable'];

/** A recovered garden stays without a failure, so that flapping is reported once. */
interface GardenState {
  readonly failure: FailingGarden | null;
  /** Not read again before this time. */
  readonly until: number;
}

export function createBackOff(context: BackOffContext, known: Iterable<readonly [string, GardenState]> = []): BackOff {
  const { now } = context;
  const states = new Map(known);
  const isBad = (garden: string) => (states.get(garden)?.until ?? -Infinity) > now();
  const failed = (garden: string, error: unknown): VadeError => {
    const before = states.get(garden);
    const reason = reasonOf(error);
    const since = before?.failure?.since ?? now();
    const failure = { garden, reason, retryable: isRetryable(reason, context), since };
    states.set(garden, { failure, until: now() + RETRY_MS });
    if (before === undefined) context.onBad(failure, error);
    return unavailable(failure);
  };
  const succeeded = (garden: string) => {
    if (!states.get(garden)?.failure) return;
    states.set(garden, { failure: null, until: -Infinity });
    context.onGood(garden);
  };
  return {
    read: (garden, read) => {
      const failure = isBad(garden) ? states.get(garden)?.failure : null;
      if (failure) throw unavailable(failure);
      try {
        const found = read();
        succeeded(garden);
        return found;
      } catch (error) {
        throw failed(garden, error);
      }
    },
    isBad,
    failing: () => [...states.values()].flatMap(({ failure }) => failure ?? []),
    forget: (garden) => void states.delete(garden),
    after: (unchanged) =>
      createBackOff(
        context,
        [...states].filter(([garden]) => unchanged(garden)),
      ),
  };
}

/** An unreadable file may become readable: the disk was busy, or no file handle was free. */
function isRetryable(reason: string, { isMirrored }: BackOffContext): boolean {
  return reason === 'file_unreadable' || (isMirrored && DAMAGED.includes(reason));
}

function unavailable({ garden, reason, retryable }: FailingGarden): VadeError {
  const what = garden === SHARED ? 'the shared garden' : `garden ${garden}`;
  const message = `${what} does not verify and is not served`;
  return new VadeError('recall_backend_unavailable', message, { reason, retryable });
}
