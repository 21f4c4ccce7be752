import type { Logger } from 'pino';
import type { Mirror } from '../../compiler/schema/bundle/mirror.ts';
import { messageOf, VadeError, type ErrorCode } from '../../compiler/schema/errors.ts';
import type { Announced } from './candidates.ts';
import type { OriginHealth } from './snapshot.ts';

/** A mirror that is asked again and again. */
export interface MirrorPoll {
  readonly announced: Announced;
  readonly health: () => OriginHealth;
  /** Asks at each turn from now on. */
  readonly begin: (told: MirrorTold) => void;
  readonly end: () => void;
}

interface MirrorTold {
  /** Something may have changed. */
  readonly onSynced: () => void;
  /** What is offered there does not verify. */
  readonly onRefused: (error: unknown) => void;
}

export interface MirrorOptions {
  /** Between two rounds, in milliseconds. */
  readonly pollMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** 0 to 1. */
  readonly random: () => number;
  readonly log: Logger;
}

const ANSWERS: OriginHealth = { unreachable_since: null, refused_since: null };

/** However often it failed, it is asked again after so many milliseconds. */
const MAX_BACKOFF_MS = 300_000;

/**
 * Asks a mirror for the first time; where it cannot answer, what it brought earlier is served.
 *
 * @throws bundle_not_found, bundle_unverified where there is nothing to serve
 */
export async function openMirrorPoll(mirror: Mirror, options: MirrorOptions): Promise<MirrorPoll> {
  const { now, log } = options;
  let offered = mirror.served();
  let failures = 0;
  let health: OriginHealth = ANSWERS;
  let lastFailure = '';
  const failed = (error: unknown, onRefused: MirrorTold['onRefused']) => {
    failures++;
    const isRefused = isRefusal(error);
    if (isRefused) onRefused(error);
    const { refused_since, unreachable_since } = health;
    if (isRefused) health = { refused_since: refused_since ?? now(), unreachable_since: null };
    else health = { refused_since, unreachable_since: unreachable_since ?? now() };
    const reason = messageOf(error);
    if (reason !== lastFailure)
      log.error({ reason }, 'the bundle cannot be fetched; the last good one goes on serving');
    lastFailure = reason;
  };
  const ask = async (onRefused: MirrorTold['onRefused']): Promise<void> => {
    try {
      offered = await mirror.sync();
      if (lastFailure !== '') log.info({ offered }, 'the bundle is fetched again');
      [failures, health, lastFailure] = [0, ANSWERS, ''];
    } catch (error) {
      if (offered === null) throw error;
      failed(error, onRefused);
    }
  };
  await ask(() => undefined);
  const announced = { stamp: () => offered ?? '', revision: () => offered ?? '' };
  const pause = () => pauseMs(options, failures);
  return { announced, health: () => health, ...turns(ask, pause) };
}

/** One round after the other, each some time after the one before ended. */
function turns(ask: (onRefused: MirrorTold['onRefused']) => Promise<void>, pause: () => number) {
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const begin = (told: MirrorTold) => {
    if (hasEnded) return;
    const round = () =>
      ask(told.onRefused).then(() => {
        if (hasEnded) return;
        told.onSynced();
        begin(told);
      });
    timer = setTimeout(() => void round(), pause()).unref();
  };
  const end = () => {
    hasEnded = true;
    clearTimeout(timer);
  };
  return { begin, end };
}

/** A tenth more or less, so that a thousand instances do not ask at once; twice as long after each failure. */
export function pauseMs({ pollMs, random }: Pick<MirrorOptions, 'pollMs' | 'random'>, failures: number): number {
  const longest = Math.max(pollMs, MAX_BACKOFF_MS);
  return Math.min(longest, pollMs * 2 ** Math.min(failures, 20)) * (0.9 + 0.2 * random());
}

/** Codes of a root that could not be fetched, which says nothing against it. */
const NOT_HAD: readonly ErrorCode[] = ['bundle_not_found', 'bundle_unavailable', 'timed_out', 'credentials_refused'];

function isRefusal(error: unknown): boolean {
  return error instanceof VadeError && !NOT_HAD.includes(error.code);
}
