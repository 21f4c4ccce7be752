import type { Coverage } from '../../schema/bundle/coverage.ts';
import { CRITICAL_HIT } from '../../schema/report/coverage-report.ts';
import type { ProbeReport } from '../../schema/source/probe.ts';
import { SCALE } from '../signals/lexical.ts';

/**
 * §21.5.5: units that are hardly ever found get a boost, so that they have a chance; `millionths` is log(1 + lambda) on
 * the scale of scores.
 */
export const BOOST = { lambda: 0.15, millionths: 139_762 } as const;

/** Units whose scores are raised, and those whose scores are lowered. */
interface Adjusted {
  readonly boosted: Int32Array;
  readonly unwritten: readonly number[];
}

/** How often a unit is among the first ten (§21.8.6), by its probes, or by paraphrases if it has none. */
export function hitsAmongTen(coverage: Coverage, probes: ProbeReport | null): Map<string, number> {
  const probed = new Map((probes?.summary.units ?? []).map((it) => [it.name, it.hit_at_10]));
  return new Map(coverage.units.map((it) => [it.name, probed.get(it.name) ?? it.hit_at_10]));
}

/** The units that are critical by the bundle's own measurements. */
export function criticalUnits(coverage: Coverage, probes: ProbeReport | null): Set<string> {
  // of a unit that nobody asked for nothing is known
  const asked = new Set((probes?.summary.units ?? []).map((it) => it.name));
  const units = coverage.units.filter(({ name, paraphrases }) => paraphrases > 0 || asked.has(name));
  const hits = hitsAmongTen({ ...coverage, units }, probes);
  return new Set([...hits].filter(([, hit]) => hit < CRITICAL_HIT).map(([name]) => name));
}

/**
 * Boosts units with a positive score only: no unit becomes a candidate by its boost. A text as `init` wrote it is near
 * to any ordinary question and says nothing of the project, so a quarter of its score counts. Does not modify `total`.
 */
export function boost(total: Int32Array, { boosted, unwritten }: Adjusted): Int32Array {
  if (boosted.length + unwritten.length === 0) return total;
  const raised = Int32Array.from(total, (score, unit) => (unwritten.includes(unit) ? score >> 2 : score));
  for (const unit of boosted) {
    const score = raised[unit] ?? 0;
    if (score > 0) raised[unit] = Math.min(SCALE, score + BOOST.millionths);
  }
  return raised;
}
