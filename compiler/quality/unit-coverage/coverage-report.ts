import { hitsAmongTen } from '../../recall/rank/boost.ts';
import type { Coverage, UnitCoverage } from '../../schema/bundle/coverage.ts';
import { CRITICAL_HIT, type CoverageReport, type CoverageStatus } from '../../schema/report/coverage-report.ts';
import type { ProbeReport } from '../../schema/source/probe.ts';
import { SMALL_GARDEN, summarise } from '../probes.ts';

/**
 * How well each unit is found (§21.8.6), always by ranks without boost: by the probes that require it, or by
 * paraphrases of its triggers if no probe does. Of a unit without triggers there is nothing to judge but its probes.
 *
 * @param labelled whether the report has the categorical label; agents do not see it (S11)
 */
export function reportCoverage(
  manifest_version: string,
  coverage: Coverage,
  probes: ProbeReport | null,
  labelled: boolean,
): CoverageReport {
  const small = coverage.units.length <= SMALL_GARDEN;
  const hits = hitsAmongTen(coverage, probes);
  const probed = new Map(summarise(probes?.results ?? [], 3, 0).units.map((it) => [it.name, it]));
  const units = coverage.units.map((unit) => {
    const own = probed.get(unit.name);
    const hit_at_10 = hits.get(unit.name) ?? unit.hit_at_10;
    return {
      name: unit.name,
      coverage_pct: unit.coverage_pct,
      hit_at_10,
      ...(small && { hit_at_3: own?.coverage_at_k ?? unit.coverage_pct }),
      probe_count: own?.probe_count ?? 0,
      last_evaluated_at: (own && probes?.evaluated_at) ?? coverage.evaluated_at,
      ...(labelled && { coverage_status: statusOf(unit, own?.probe_count ?? 0, hit_at_10) }),
    };
  });
  const { embedding_model_version, evaluated_at } = coverage;
  return { manifest_version, embedding_model_version, evaluated_at, units };
}

function statusOf({ paraphrases }: UnitCoverage, probes: number, hit: number): CoverageStatus {
  if (paraphrases + probes === 0) return 'not_evaluated';
  return hit < CRITICAL_HIT ? 'coverage_critical' : 'ok';
}
