import type { Logger } from 'pino';
import type { Mirror } from '../../compiler/schema/bundle/mirror.ts';
import { messageOf, VadeError, type ErrorCode } from '../../compiler/schema/errors.ts';
import type { Announced } from './candidates.ts';
import type { OriginHealth } from './snapshot.ts';

/** A mirror that is polled. */
export interface MirrorPoll {
  readonly announced: Announced;
  readonly health: () => OriginHealth;
  /** Begins to poll. */
  readonly begin: (listeners: MirrorListeners) => void;
  readonly end: () => void;
}

interface MirrorListeners {
  /** Called after each successful or refused poll. */
  readonly onSynced: () => void;
  /** The announced root does not verify. */
  readonly onRefused: (error: unknown) => void;
}

export interface MirrorOptions {
  /** Poll interval, in milliseconds. */
  readonly pollMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** 0 to 1. */
  readonly random: () => number;
  readonly log: Logger;
}

const REACHABLE: OriginHealth = { unreachable_since: null, refused_since: null };

/** Longest interval after failures, in milliseconds: for so long a withdrawal waits after the origin was away. */
const MAX_BACKOFF_MS = 60_000;

/**
 * Polls a mirror for the first time; if that fails, its cached root is used.
 *
 * @throws bundle_not_found, bundle_unverified if there is no cached root
 */
export async function openMirrorPoll(mirror: Mirror, options: MirrorOptions): Promise<MirrorPoll> {
  const { now, log } = options;
  let offered = mirror.served();
  let failures = 0;
  let health: OriginHealth = REACHABLE;
  let lastFailure = '';
  const failed = (error: unknown, onRefused: MirrorListeners['onRefused']) => {
    failures++;
    const isRefused = isRefusal(error);
    if (isRefused) onRefused(error);
    const { refused_since, unreachable_since } = health;
    if (isRefused) health = { refused_since: refused_since ?? now(), unreachable_since: null };
    else health = { refused_since, unreachable_since: unreachable_since ?? now() };
    const reason = messageOf(error);
    if (reason !== lastFailure)
      log.error({ reason }, 'the bundle cannot be fetched; the last good one stays in service');
    lastFailure = reason;
  };
  const poll = async (onRefused: MirrorListeners['onRefused']): Promise<void> => {
    try {
      offered = await mirror.sync();
      if (lastFailure !== '') log.info({ offered }, 'the bundle can be fetched again');
      failures = 0;
      health = REACHABLE;
      lastFailure = '';
    } catch (error) {
      if (offered === null) throw error;
      failed(error, onRefused);
    }
  };
  await poll(() => undefined);
  const announced = { stamp: () => offered ?? '', revision: () => offered ?? '' };
  const pause = () => pauseMs(options, failures);
  return { announced, health: () => health, ...createPollLoop(poll, pause) };
}

/** One poll after the other, each a pause after the previous one ended. */
function createPollLoop(poll: (onRefused: MirrorListeners['onRefused']) => Promise<void>, pause: () => number) {
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const begin = (listeners: MirrorListeners) => {
    if (hasEnded) return;
    const round = () =>
      poll(listeners.onRefused).then(() => {
        if (hasEnded) return;
        listeners.onSynced();
        begin(listeners);
      });
    timer = setTimeout(() => void round(), pause()).unref();
  };
  const end = () => {
    hasEnded = true;
    clearTimeout(timer);
  };
  return { begin, end };
}

/** A tenth more or less, so that a thousand instances do not poll at once; doubled after each failure. */
export function pauseMs({ pollMs, random }: Pick<MirrorOptions, 'pollMs' | 'random'>, failures: number): number {
  const longest = Math.max(pollMs, MAX_BACKOFF_MS);
  return Math.min(longest, pollMs * 2 ** Math.min(failures, 20)) * (0.9 + 0.2 * random());
}

/** Codes of a failed fetch, which do not refuse the root itself. */
const UNREACHABLE: readonly ErrorCode[] = [
  'bundle_not_found',
  'bundle_unavailable',
  'timed_out',
  'credentials_refused',
];

function isRefusal(error: unknown): boolean {
  return error instanceof VadeError && !UNREACHABLE.includes(error.code);
}
