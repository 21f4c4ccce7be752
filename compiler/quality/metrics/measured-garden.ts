import type { RecallFact } from '../../recall/recall-garden.ts';
import type { Recertification } from '../../schema/api/metrics.ts';
import { passes, type Coverage } from '../../schema/bundle/coverage.ts';
import type { Fact } from '../../schema/bundle/fact.ts';
import type { GardenPredicate } from '../../schema/bundle/garden.ts';
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

/**
 * The tokens of a heartbeat that loads everything at once, to compare lazy loading with: the boot stub, which is loaded
 * either way (§21.1); each legacy file once, in place of the units that name it, because agents read that file until it
 * is removed (§21.6.2); and the text of every other unit in force, listed in the manifest or not.
 *
 * @param facts all facts that the agent may load, without withdrawn ones
 * @param now milliseconds since 1970
 * @returns tokens
 */
export function eagerTokens(
  facts: readonly Pick<Fact, 'fallback' | 'tokens' | 'valid_until'>[],
  stubTokens: number,
  now: number,
): number {
  const legacy = new Map(
    facts.flatMap(({ fallback }) => (fallback ? [[fallback.path, fallback.tokens] as const] : [])),
  );
  const own = facts.filter(
    ({ fallback, valid_until }) => fallback === null && (valid_until === null || Date.parse(valid_until) > now),
  );
  return [...legacy.values(), ...own.map(({ tokens }) => tokens)].reduce((all, it) => all + it, stubTokens);
}
