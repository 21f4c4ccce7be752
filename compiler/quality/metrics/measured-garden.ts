import type { RecallFact } from '../../recall/recall-garden.ts';
import type { Recertification } from '../../schema/api/metrics.ts';
import { passes, type Coverage } from '../../schema/bundle/coverage.ts';
import type { GardenPredicate } from '../../schema/bundle/garden.ts';
import { eagerTokens } from './eager-tokens.ts';
import type { Measured } from './metrics.ts';

/** An agent's verified garden, with the result of its coverage gate. */
export interface MeasuredGarden {
  readonly predicate: GardenPredicate;
  /** Its own and the shared ones, without withdrawn ones. */
  readonly facts: readonly RecallFact[];
  readonly coverage: Coverage | null;
}

/** The garden that an agent's figures are compared with. @param now milliseconds since 1970 */
export function measuredOf({ predicate, facts, coverage }: MeasuredGarden, now: number): Measured {
  const { deployment, garden, agent, stubs } = predicate;
  // the stub of a caller that names no profile (§21.1.4)
  const stub = stubs.find((it) => it.profile === 'generic') ?? stubs[0];
  const stubTokens = stub?.token_count ?? 0;
  return {
    agent: garden,
    agent_id: agent?.agent_id ?? '',
    entity: `${deployment}/agent/${garden}`,
    guaranteed: facts.filter((it) => it.delivery.guarantee_load).map((it) => it.name),
    units: new Set(facts.map((it) => it.name)),
    eagerTokens: eagerTokens(facts, stubTokens, now),
    stubTokens,
    recertify: recertificationOf(predicate, coverage, now),
  };
}

/** §21.8.3 S10: a bypassed gate must be passed before a deadline. */
function recertificationOf(
  { recertify_by: by }: GardenPredicate,
  coverage: Coverage | null,
  now: number,
): Recertification | null {
  if (by === null) return null;
  const failing = coverage?.units.filter((it) => !passes(it)) ?? [];
  return { by, overdue: Date.parse(by) <= now, units: failing.map((it) => it.name) };
}
