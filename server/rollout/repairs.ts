import type { Logger } from 'pino';
import type { Mirror } from '../../compiler/schema/bundle/mirror.ts';
import { messageOf } from '../../compiler/schema/errors.ts';
import { pauseMs } from './mirror-poll.ts';
import type { OpenRollout } from './rollout.ts';
import type { DamagedGarden } from './snapshot.ts';

/** Has a mirror bring gardens anew that were damaged after they were fetched. */
export interface Repairs {
  /** Looks at each turn from now on. */
  readonly begin: () => void;
  readonly end: () => void;
}

export interface RepairsOptions {
  readonly mirror: Pick<Mirror, 'repair'>;
  readonly rollout: Pick<OpenRollout, 'current' | 'refusedFor' | 'proveRest'>;
  /** Between two looks, in milliseconds; they cost nothing while nothing is damaged. */
  readonly lookMs: number;
  /** Between two rounds of the mirror, in milliseconds: no garden is fetched more often. */
  readonly pollMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** 0 to 1. */
  readonly random: () => number;
  readonly log: Logger;
}

/** What was done for one garden. */
interface Tried {
  readonly times: number;
  /** Milliseconds since 1970. */
  readonly next: number;
  /** Whether it could not be fetched, and that was logged. */
  readonly hasFailed: boolean;
}

/** Each garden is tried at once, and then later and later, whatever came of it: a disk may spoil it again and again. */
export function openRepairs({ mirror, rollout, lookMs, log, ...options }: RepairsOptions): Repairs {
  const { now } = options;
  /** By garden and revision. */
  const tried = new Map<string, Tried>();
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const attempt = async ({ revision, garden }: DamagedGarden, isNews: boolean): Promise<boolean> => {
    const told = { garden, bundle_revision: revision };
    try {
      if (!(await mirror.repair(revision, garden))) return true;
      rollout.current().gardens.memory.guard.forgive(garden);
      log.info(told, 'a damaged garden is fetched again');
      void rollout.proveRest();
      return true;
    } catch (error) {
      if (isNews) log.error({ ...told, reason: messageOf(error) }, 'a damaged garden cannot be fetched again');
      return false;
    }
  };
  const repair = async ({ revision, garden }: DamagedGarden): Promise<void> => {
    const key = `${garden} ${revision}`;
    const { times, hasFailed } = tried.get(key) ?? NEVER;
    const isDone = await attempt({ revision, garden }, !hasFailed);
    tried.set(key, { times: times + 1, next: now() + pauseMs(options, times + 1), hasFailed: !isDone });
  };
  const isDue = ({ garden, revision }: DamagedGarden) => now() >= (tried.get(`${garden} ${revision}`) ?? NEVER).next;
  const look = async () => {
    for (const it of damagedIn(rollout).filter(isDue)) if (!hasEnded) await repair(it);
    begin();
  };
  const begin = () => {
    if (!hasEnded) timer = setTimeout(() => void look(), lookMs).unref();
  };
  const end = () => {
    hasEnded = true;
    clearTimeout(timer);
  };
  return { begin, end };
}

const NEVER: Tried = { times: 0, next: -Infinity, hasFailed: false };

/** Of the root in service, and of the one that is offered and refused. */
function damagedIn({ current, refusedFor }: RepairsOptions['rollout']): DamagedGarden[] {
  const { bundle, memory } = current().gardens;
  const served = memory.guard.failing().map(({ garden }) => ({ revision: bundle.revision, garden }));
  const refused = refusedFor();
  return refused ? [...served, refused] : served;
}
