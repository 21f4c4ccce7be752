import type { AuditLog } from '../audit/records/log.ts';
import type { CountHit } from '../auth/rate-limits.ts';
import type { Source } from '../rollout/bundle-source.ts';
import type { OpenRollout } from '../rollout/rollout.ts';
import type { RolloutHealth } from '../rollout/snapshot.ts';
import type { Figures, Scraped } from '../telemetry/metrics.ts';
import { leasedHits } from './leased-hits.ts';
import type { Failure, Led, Told } from './messages.ts';
import { openChannel } from './questions.ts';

/** A worker among the workers of one server, and what it has in common with them. */
export interface Member {
  /** The roots that the first process found good. */
  readonly source: Source;
  readonly countHit: CountHit;
  /** The metrics of all workers. */
  readonly scrape: () => Promise<Scraped>;
  /** The audit, whose lists and figures wait for the rows that other workers have acknowledged. */
  readonly withRowsOfAll: (audit: AuditLog) => AuditLog;
  /** The health of the rollout, with what only the first process knows. */
  readonly healthOf: (own: RolloutHealth) => RolloutHealth;
  /** Serves from now on, and follows the first process. */
  readonly join: (serving: Serving) => void;
  readonly fail: (failure: Failure) => void;
  /** Resolves once the first process ends its workers. */
  readonly ended: Promise<'SIGTERM'>;
}

/** What a serving worker tells the first process. */
export interface Serving {
  readonly url: string;
  readonly rollout: Pick<OpenRollout, 'poll'>;
  readonly audit: Pick<AuditLog, 'settled'>;
  readonly figures: () => Promise<Figures>;
}

/** The part of a process that talks with the one that forked it. */
export interface ForkedProcess {
  readonly send: (message: object) => void;
  readonly onMessage: (take: (message: unknown) => void) => void;
}

/**
 * Joins the workers of the server that forked this process.
 *
 * @param now milliseconds since 1970
 * @throws Error if the first process does not answer
 */
export async function joinWorkers({ send, onMessage }: ForkedProcess, now: () => number): Promise<Member> {
  let serving: Serving | null = null;
  let led: Led | null = null;
  let end: (signal: 'SIGTERM') => void = () => undefined;
  const ended = new Promise<'SIGTERM'>((resolve) => (end = resolve));
  const channel = openChannel(send, {
    led: (given) => {
      led = given;
      serving?.rollout.poll();
      return null;
    },
    metrics: () => serving?.figures() ?? [],
    settled: () => settledIn(serving),
    end: () => {
      end('SIGTERM');
      return null;
    },
  });
  onMessage(channel.take);
  const first = await channel.ask('lead', null);
  const current = () => led ?? first;
  return {
    source: followed(() => current().revision),
    countHit: leasedHits((request) => channel.ask('lease', request), now),
    scrape: () => channel.ask('scrape', null),
    withRowsOfAll: (audit) => waiting(audit, () => channel.ask('settle', null)),
    healthOf: (own) => overlaid(own, current().health),
    join: (it) => {
      serving = it;
      tell(send, { told: 'ready', url: it.url });
      // a root may have been announced while this worker started
      it.rollout.poll();
    },
    fail: (failure) => {
      tell(send, { told: 'failed', ...failure });
    },
    ended,
  };
}

async function settledIn(serving: Serving | null): Promise<null> {
  await serving?.audit.settled();
  return null;
}

function tell(send: ForkedProcess['send'], told: Told): void {
  send(told);
}

/** The first process fetches, records and refuses roots; a worker only opens those that it names. */
function followed(revision: () => string): Source {
  return {
    announced: { stamp: revision, revision },
    initialRoots: [revision()],
    onServed: () => undefined,
    origin: () => ({ unreachable_since: null, refused_since: null }),
    poll: null,
  };
}

/** What the worker itself refused counts too: its disk may fail alone. */
function overlaid(own: RolloutHealth, led: Led['health']): RolloutHealth {
  const refusal = led.stale_since === null ? {} : { stale_since: led.stale_since, last_refusal: led.last_refusal };
  return { ...own, ...refusal, refused: own.refused + led.refused, unreachable_since: led.unreachable_since };
}

function waiting(audit: AuditLog, settle: () => Promise<unknown>): AuditLog {
  return {
    ...audit,
    list: async (...args) => {
      await settle();
      return audit.list(...args);
    },
    days: async (...args) => {
      await settle();
      return audit.days(...args);
    },
  };
}
