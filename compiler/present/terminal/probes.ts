import type { CopiedProbe } from '../../quality/copied-probes.ts';
import { named, whyItFails } from '../../quality/probe-faults.ts';
import { isHardToFind, type Findability } from '../../schema/bundle/coverage.ts';
import type { ProbeResult, ProbeSummary } from '../../schema/source/probe.ts';

/** Results of an agent's probes, also compared with an earlier bundle. */
export interface ProbedAgent {
  readonly agent: string;
  readonly summary: ProbeSummary;
  readonly before: { readonly coverage_at_k: number; readonly hit_at_k: number } | null;
  readonly won: readonly string[];
  readonly lost: readonly string[];
  readonly failed: readonly ProbeResult[];
  /** Probes that a trigger or a phrase nearly copies: they count in no figure. */
  readonly uncounted: readonly CopiedProbe[];
  /** Its own units that no probe requires, or only such a one. */
  readonly unprobed: readonly string[];
  /** Its units without a trigger: the coverage gate has nothing to judge, probes alone say whether they are found. */
  readonly untriggered: readonly string[];
  /** Findability of each unit by other people’s words, from its coverage gate; the hardest to find first. */
  readonly findability: readonly FoundUnit[];
}

/** A unit's findability, with its nearest rivals. */
export type FoundUnit = Findability & { readonly name: string };

/** Maximum number of units without a probe or a trigger that are named. */
const MOST_NAMED = 10;

/** The figures of an agent's probes and units, then what fails, and what was won and lost. */
export function renderProbes(probed: ProbedAgent): string[] {
  const { summary, won, lost, failed, uncounted, unprobed, untriggered, findability } = probed;
  const { k } = summary;
  return [
    headOf(probed),
    ...summary.units.map((it) => `  ${it.name}: ${it.probe_count} probes, coverage@${k} ${it.coverage_at_k}`),
    ...failed.map((it) => `  fails: “${it.intent}” ${whyItFails(it, k)}`),
    ...uncounted.map(
      ({ intent, copied_by: { unit, text } }) => `  does not count: “${intent}”, nearly copied by “${text}” of ${unit}`,
    ),
    ...(unprobed.length === 0 ? [] : [`  without a probe: ${named(unprobed.slice(0, MOST_NAMED), unprobed.length)}`]),
    ...(untriggered.length === 0
      ? []
      : [`  no trigger: nothing to judge but probes: ${named(untriggered.slice(0, MOST_NAMED), untriggered.length)}`]),
    ...findability.map((it) => `  ${describeFindability(it)}`),
    ...won.map((it) => `  won: “${it}”`),
    ...lost.map((it) => `  lost: “${it}”`),
  ];
}

function headOf({ agent, summary: it, before }: ProbedAgent): string {
  const was = before === null ? '' : ` (before ${before.coverage_at_k} and ${before.hit_at_k})`;
  const small = it.hit_at_3 === null ? '' : `, hit@3 ${it.hit_at_3}`;
  const left = it.uncounted === 0 ? '' : `, ${it.uncounted} more do not count`;
  return `${agent}: ${it.passed} of ${it.probes} probes pass${left}; coverage@${it.k} ${it.coverage_at_k}, hit@${it.k} ${it.hit_at_k}${was}, hit@10 ${it.hit_at_10}${small}`;
}

/** A unit's findability, and where it is low the units that come near or before it. */
function describeFindability({ name, score, paraphrases, rivals }: FoundUnit): string {
  const shown = `${name}: findability ${score.toFixed(2)}`;
  if (!isHardToFind({ findability: { score, paraphrases, rivals } }) || rivals.length === 0) return shown;
  const nearest = rivals.map((it) => `${it.name} (before it for ${it.ahead} of ${paraphrases} paraphrases)`);
  return `${shown}, hard to find; nearest: ${nearest.join(', ')}`;
}
