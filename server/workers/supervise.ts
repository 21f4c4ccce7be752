import { isDeepStrictEqual } from 'node:util';
import { readiness } from '../operations/readiness.ts';
import type { OpenRollout } from '../rollout/rollout.ts';
import { addUp } from '../telemetry/metrics.ts';
import { Crew, type CrewOptions } from './crew.ts';
import { leaseQuotas } from './lease-quotas.ts';
import type { Led } from './messages.ts';
import type { Answers } from './questions.ts';

export interface SuperviseOptions extends Omit<CrewOptions, 'answersTo'> {
  readonly workers: number;
  /** Follows the bundle, and decides for all workers which root is served. */
  readonly rollout: OpenRollout;
}

/** The running workers of one server. */
export interface Workers {
  readonly url: string;
  /** Ends all workers, each after its open requests. */
  readonly end: () => Promise<void>;
}

/** How often the rollout is compared with what the workers know, in milliseconds. */
const TELL_MS = 100;

/**
 * Starts the workers of a server, which listen on one port, and replaces each that ends by itself. This process answers
 * no request: it hands out connections in turns, leases parts of quotas, adds up metrics, and names the root to serve.
 *
 * @throws the error of a worker that cannot start: address_in_use, bundle_unverified, output_failed and others
 */
export async function superviseWorkers(options: SuperviseOptions): Promise<Workers> {
  const { rollout, log, workers } = options;
  const lease = leaseQuotas(workers, options.now);
  const crew: Crew = new Crew({
    ...options,
    answersTo: (asking): Answers => ({
      lead: () => ledBy(rollout),
      lease,
      scrape: async () => addUp(await crew.askAll('metrics', null)),
      settle: async () => {
        await crew.askAll('settled', null, asking);
        return null;
      },
    }),
  });
  const stopTelling = tellOf(rollout, crew);
  const end = async () => {
    stopTelling();
    await crew.end();
  };
  try {
    const [url = ''] = await Promise.all(Array.from({ length: workers }, () => crew.start()));
    const { bundle_revision, held, withdrawn, withdrawals } = readiness(rollout);
    log.info({ url, bundle_revision, held, withdrawn, withdrawals, workers: crew.pids }, 'ready');
    return { url, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Tells all workers what the rollout decides. @returns a function that ends it */
function tellOf(rollout: OpenRollout, crew: Crew): () => void {
  let told = ledBy(rollout);
  const timer = setInterval(() => {
    const led = ledBy(rollout);
    if (isDeepStrictEqual(led, told)) return;
    told = led;
    void crew.askAll('led', led);
  }, TELL_MS).unref();
  return () => {
    clearInterval(timer);
  };
}

function ledBy(rollout: OpenRollout): Led {
  const { refused, last_refusal, stale_since, unreachable_since } = rollout.health();
  const { revision } = rollout.current().gardens.bundle;
  return { revision, health: { refused, last_refusal, stale_since, unreachable_since } };
}
