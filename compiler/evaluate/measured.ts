import { COVERAGE_THRESHOLD, type Coverage } from '../model/coverage.ts';
import type { GardenPredicate } from '../model/garden.ts';
import type { Recertification } from '../model/metrics.ts';
import type { RecallFact } from '../recall/garden.ts';
import type { Measured } from './metrics.ts';

/** An agent's garden, proven, with how its coverage was judged. */
export interface MeasuredGarden {
  readonly predicate: GardenPredicate;
  /** Its own with the shared ones, without those that were withdrawn. */
  readonly facts: readonly RecallFact[];
  readonly coverage: Coverage | null;
}

/** What an agent's figures are held against. @param now milliseconds since 1970 */
export function measuredOf({ predicate, facts, coverage }: MeasuredGarden, now: number): Measured {
  const { deployment, garden, agent, stubs } = predicate;
  const stub = stubs.find((it) => it.profile === 'generic') ?? stubs[0];
  const stubTokens = stub?.token_count ?? 0;
  return {
    agent: garden,
    agent_id: agent?.agent_id ?? '',
    entity: `${deployment}/agent/${garden}`,
    guaranteed: facts.filter((it) => it.delivery.guarantee_load).map((it) => it.name),
    units: new Set(facts.map((it) => it.name)),
    eagerTokens: eagerTokensOf(facts, now) + stubTokens,
    stubTokens,
    recertify: recertificationOf(predicate, coverage, now),
  };
}

/** Tokens of everything in force: all units at once, listed or not; a legacy file where it stands in (§21.6.1). */
function eagerTokensOf(facts: readonly RecallFact[], now: number): number {
  const isInForce = ({ valid_until }: RecallFact) => valid_until === null || Date.parse(valid_until) > now;
  return facts
    .filter(isInForce)
    .reduce((all, it) => all + (it.content === '' ? (it.fallback?.tokens ?? 0) : it.tokens), 0);
}

/** §21.8.3 S10: a gate that was passed by has to be passed in time. */
function recertificationOf(
  { recertify_by: by }: GardenPredicate,
  coverage: Coverage | null,
  now: number,
): Recertification | null {
  if (by === null) return null;
  const failing = coverage?.units.filter((it) => it.coverage_pct < COVERAGE_THRESHOLD) ?? [];
  return { by, overdue: Date.parse(by) <= now, units: failing.map((it) => it.name) };
}
