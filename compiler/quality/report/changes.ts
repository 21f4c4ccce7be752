import type { UnitCoverage } from '../../schema/bundle/coverage.ts';
import type { Fact } from '../../schema/bundle/fact.ts';
import type { UnitChange } from '../../schema/report/agent-report.ts';
import { factsOf, type AgentReading } from './garden-reading.ts';

/** The changes of an agent's units since another bundle, by name. `before` is null for a new agent. */
export function changesBetween(before: AgentReading | null, after: AgentReading): UnitChange[] {
  const earlier = new Map((before ? factsOf(before) : []).map((it) => [it.name, it]));
  const now = new Map(factsOf(after).map((it) => [it.name, it]));
  const measured = { from: judgedIn(before), to: judgedIn(after) };
  const sharedNames = new Set([...(before?.shared.facts ?? []), ...after.shared.facts].map((it) => it.name));
  const names = [...new Set([...earlier.keys(), ...now.keys()])].sort();
  return names.flatMap((name) => {
    const from = earlier.get(name) ?? null;
    const to = now.get(name) ?? null;
    const kind = kindOf(from, to);
    if (kind === null) return [];
    const figures = figuresOf(measured.from.get(name), measured.to.get(name));
    return [{ name, kind, shared: sharedNames.has(name), from: placeOf(from), to: placeOf(to), ...figures }];
  });
}

function kindOf(from: Fact | null, to: Fact | null): UnitChange['kind'] | null {
  if (from === null) return 'added';
  if (to === null) return 'removed';
  if (from.digest !== to.digest || from.fallback?.digest !== to.fallback?.digest) return 'changed';
  return from.uri === to.uri ? null : 'delivery';
}

function placeOf(fact: Fact | null): UnitChange['from'] {
  return fact && { uri: fact.uri, version: fact.version, tokens: fact.tokens };
}

function figuresOf(from?: UnitCoverage, to?: UnitCoverage): Pick<UnitChange, 'coverage' | 'findability'> {
  return {
    coverage: { from: shareOf(from), to: shareOf(to) },
    findability: {
      from: from?.findability?.score ?? null,
      to: to?.findability?.score ?? null,
      rivals: (to?.findability?.rivals ?? []).map((it) => it.name),
    },
  };
}

/** Null of a unit without a trigger: nothing was asked. */
const shareOf = (judged?: UnitCoverage) => (judged && judged.judged_by !== 'nothing' ? judged.coverage_pct : null);

function judgedIn(reading: AgentReading | null): Map<string, UnitCoverage> {
  return new Map((reading?.own.coverage?.units ?? []).map((it) => [it.name, it]));
}
