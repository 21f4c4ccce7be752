import { compareProbes } from '../../quality/probes.ts';
import { changesBetween } from '../../quality/report/changes.ts';
import { areStale, factsOf, type AgentReading } from '../../quality/report/garden-reading.ts';
import { summariseAgent } from '../../quality/report/summary.ts';
import type { AgentComparison, ChangedRecall, PhraseChange } from '../../schema/report/comparison.ts';

/** An agent on both sides; null on the side that does not have it. */
export interface AgentSides {
  readonly before: AgentReading | null;
  readonly after: AgentReading | null;
}

/** Differences of an agent's figures, probes and units. @param recalls those of the same intents that differ */
export function compareAgent(name: string, sides: AgentSides, recalls: readonly ChangedRecall[]): AgentComparison {
  const { before, after } = sides;
  const from = figuresOf(before);
  const to = figuresOf(after);
  const both = <T>(figure: (it: NonNullable<typeof from>) => T) => ({
    from: from && figure(from),
    to: to && figure(to),
  });
  return {
    name,
    tokens: {
      stub: both((it) => it.tokens.stub),
      manifest: both((it) => it.tokens.manifest),
      units: both((it) => it.tokens.units),
    },
    coverage: both((it) => it.coverage?.mean ?? null),
    probes: both(({ probes: it }) => it && { passed: it.passed, probes: it.probes, uncounted: it.uncounted }),
    ...compareProbes(before?.own.probes?.results ?? [], after?.own.probes?.results ?? [], kOf(sides)),
    units: after ? changesBetween(before, after) : removedUnits(before),
    phrases: phraseChanges(sides),
    recalls: [...recalls],
  };
}

/** By unit; a unit whose phrases stay, and fit its text, is not named. */
function phraseChanges({ before, after }: AgentSides): PhraseChange[] {
  const [was, is] = [before, after].map((it) => new Map((it?.own.phrases ?? []).map((unit) => [unit.name, unit])));
  const facts = new Map((after ? factsOf(after) : []).map((fact) => [fact.name, fact]));
  const names = [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])].sort();
  return names.flatMap((name) => {
    const [old, now] = [was?.get(name), is?.get(name)];
    const added = (now?.phrases ?? []).filter((it) => old?.phrases.includes(it) !== true);
    const removed = (old?.phrases ?? []).filter((it) => now?.phrases.includes(it) !== true);
    const stale = now !== undefined && areStale(now, facts.get(name));
    return added.length + removed.length > 0 || stale ? [{ name, added, removed, stale }] : [];
  });
}

const figuresOf = (reading: AgentReading | null) =>
  reading && summariseAgent(reading, { changes: null, metrics: null });

/** The depth of the newer run; a probe of the older one is judged by it too. */
const kOf = ({ before, after }: AgentSides) => (after ?? before)?.own.probes?.summary.k ?? 3;

/** An agent that is gone takes its own units with it; the shared ones stay for others. */
function removedUnits(before: AgentReading | null): AgentComparison['units'] {
  const own = new Set(before?.own.facts.map((it) => it.name));
  return (before ? factsOf(before) : [])
    .filter((it) => own.has(it.name))
    .map(({ name, uri, version, tokens }) => ({
      name,
      kind: 'removed',
      shared: false,
      from: { uri, version, tokens },
      to: null,
      coverage: { from: null, to: null },
      findability: { from: null, to: null, rivals: [] },
    }));
}
