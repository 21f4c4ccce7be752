import type { Mirror } from '../../compiler/schema/bundle/mirror.ts';
import { messageOf } from '../../compiler/schema/errors.ts';
import { pauseMs, type MirrorOptions } from './mirror-poll.ts';
import type { OpenRollout } from './rollout.ts';
import type { DamagedGarden } from './snapshot.ts';

/** Fetches gardens again from the mirror if they were damaged after the first fetch. */
export interface Repairs {
  /** Begins to check for damaged gardens. */
  readonly begin: () => void;
  readonly end: () => void;
}

/** No garden is fetched more often than the mirror is polled. */
export interface RepairsOptions extends MirrorOptions {
  readonly mirror: Pick<Mirror, 'repair'>;
  readonly rollout: Pick<OpenRollout, 'current' | 'refusedFor' | 'verifyRest'>;
  /** Interval of the checks, in milliseconds; they cost nothing while nothing is damaged. */
  readonly checkMs: number;
}

/** The repair state of one garden. */
interface RepairState {
  readonly times: number;
  /** Milliseconds since 1970. */
  readonly next: number;
  /** Whether a failed fetch was logged. */
  readonly hasFailed: boolean;
}

/**
 * Each garden is fetched at once, then at growing intervals even after success: a bad disk may damage it repeatedly.
 */
export function createRepairs({ mirror, rollout, checkMs, log, ...options }: RepairsOptions): Repairs {
  const { now } = options;
  /** By garden and revision. */
  const states = new Map<string, RepairState>();
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const repairOnce = async ({ revision, garden }: DamagedGarden, isNews: boolean): Promise<boolean> => {
    const fields = { garden, bundle_revision: revision };
    try {
      if (!(await mirror.repair(revision, garden))) return true;
      rollout.current().gardens.memory.backOff.forget(garden);
      log.info(fields, 'a damaged garden is fetched again');
      void rollout.verifyRest();
      return true;
    } catch (error) {
      if (isNews) log.error({ ...fields, reason: messageOf(error) }, 'a damaged garden cannot be fetched again');
      return false;
    }
  };
  const repair = async ({ revision, garden }: DamagedGarden): Promise<void> => {
    const key = `${garden} ${revision}`;
    const { times, hasFailed } = states.get(key) ?? NEVER;
    const isDone = await repairOnce({ revision, garden }, !hasFailed);
    states.set(key, { times: times + 1, next: now() + pauseMs(options, times + 1), hasFailed: !isDone });
  };
  const isDue = ({ garden, revision }: DamagedGarden) => now() >= (states.get(`${garden} ${revision}`) ?? NEVER).next;
  const check = async () => {
    for (const it of damagedIn(rollout).filter(isDue)) if (!hasEnded) await repair(it);
    begin();
  };
  const begin = () => {
    if (!hasEnded) timer = setTimeout(() => void check(), checkMs).unref();
  };
  const end = () => {
    hasEnded = true;
    clearTimeout(timer);
  };
  return { begin, end };
}

const NEVER: RepairState = { times: 0, next: -Infinity, hasFailed: false };

/** Damaged gardens of the served root, and of the refused candidate. */
function damagedIn({ current, refusedFor }: RepairsOptions['rollout']): DamagedGarden[] {
  const { bundle, memory } = current().gardens;
  const served = memory.backOff.failing().map(({ garden }) => ({ revision: bundle.revision, garden }));
  const refused = refusedFor();
  return refused ? [...served, refused] : served;
}
