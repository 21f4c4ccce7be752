import { spooledRows } from '../../../server/audit/queue/spool-file.ts';
import { readSums } from '../../../server/audit/read-answers.ts';
import { agentNames, gardenOf, loadGarden, loadShared } from '../../io/bundle/load-garden.ts';
import type { OpenBundle } from '../../io/bundle/open-bundle.ts';
import { createDeploymentMetrics } from '../../quality/metrics/deployment-metrics.ts';
import { measuredOf } from '../../quality/metrics/measured-garden.ts';
import type { Measured } from '../../quality/metrics/metrics.ts';
import { factsLeft } from '../../recall/recall-garden.ts';
import { depthsOf, MetricsQuery } from '../../schema/api/metrics-query.ts';
import { Coverage } from '../../schema/bundle/coverage.ts';
import { VadeError } from '../../schema/errors.ts';
import { auditPlaceFrom } from '../../world/audit-place.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { METRICS } from '../../world/flags/quality.ts';
import { inForce } from '../../world/in-force.ts';
import { pinnedBundle } from '../../world/pinned-bundle.ts';
import { windowFrom } from '../../world/time-window.ts';
import type { World } from '../../world/world.ts';
import { takeWaitingArrivals } from './waiting-arrivals.ts';

type MetricsFlags = Arguments<typeof METRICS>;

/**
 * Measures an audit against a bundle, day by day.
 *
 * @throws argument_invalid, agent_not_found, bundle_not_found, bundle_unverified, audit_not_found, output_failed
 */
export async function measureAudit(args: MetricsFlags, world: World) {
  const { since, until } = windowFrom(args, world);
  const depths = depthsFrom(args.k);
  const now = world.now();
  const bundle = pinnedBundle(args, world);
  const gardens = args.agent === undefined ? agentNames(bundle) : [gardenOf(bundle, args.agent)];
  const measured = measuredIn(bundle, gardens, now.getTime());
  // without an end all rows are read, but the window is reported, and its last week judged, as of now
  const figuresWindow = { since, until: Math.min(until, now.getTime() + 1) };
  const all = createDeploymentMetrics(measured, { ...figuresWindow, depths });
  const place = auditPlaceFrom(args, world);
  await takeWaitingArrivals(args, world);
  const agent = args.agent === undefined ? null : (measured[0]?.agent_id ?? null);
  const entities = Object.fromEntries(measured.map((it) => [it.agent_id, it.entity]));
  await readSums(place, { agent, since, until, figuresWindow, entities }, all);
  return { revision: bundle.revision, metrics: all.result(), spooled: spooledRows(place) };
}

function depthsFrom(given: readonly string[]): number[] {
  const query = MetricsQuery.pick({ k: true }).safeParse(given.length === 0 ? {} : { k: given.join(',') });
  if (query.success) return depthsOf(query.data.k);
  throw new VadeError('argument_invalid', '--k must be a depth from 1 to 50, or several such as 1,3,10', { flag: 'k' });
}

function measuredIn(bundle: OpenBundle, gardens: readonly string[], now: number): Measured[] {
  const shared = loadShared(bundle);
  const served = inForce(bundle);
  return gardens.map((name) => {
    const { recall, predicate } = loadGarden(bundle, name, shared);
    const envelope = bundle.envelope(name);
    const bytes = envelope && bundle.readFile(envelope, 'coverage.json');
    const coverage = bytes && Coverage.parse(JSON.parse(bytes.toString('utf8')));
    return measuredOf({ predicate, facts: factsLeft(served(recall)), coverage }, now);
  });
}
