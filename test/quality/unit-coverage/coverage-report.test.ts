import { describe, expect, test } from 'vitest';
import { summarise } from '../../../compiler/quality/probes.ts';
import { reportCoverage } from '../../../compiler/quality/unit-coverage/coverage-report.ts';
import type { Coverage, UnitCoverage } from '../../../compiler/schema/bundle/coverage.ts';
import { CoverageReport } from '../../../compiler/schema/report/coverage-report.ts';
import type { ProbeReport, ProbeResult } from '../../../compiler/schema/source/probe.ts';
import { unitCoverage } from '../../support/unit-coverage.ts';

const unit = unitCoverage;

const coverage = (...units: UnitCoverage[]): Coverage => ({
  format: 1,
  k: 3,
  threshold: 0.8,
  evaluated_at: '2026-05-01T00:00:00Z',
  embedding_model_version: 'builtin@0123456789ab',
  binding: { index: '', model: null, generator: '', weights: '', triggers: '' },
  diversity: { words: 0.5, syntax: 0.5 },
  units,
});

const probes = (...results: ProbeResult[]): ProbeReport => ({
  format: 1,
  evaluated_at: '2026-05-02T00:00:00Z',
  embedding_model_version: 'builtin@0123456789ab',
  summary: summarise(results, 3, 3),
  results,
});

const asks = (name: string, ...ranks: (number | null)[]): ProbeResult[] =>
  ranks.map((rank, i) => ({ intent: `${name} ${i}`, required: [{ name, rank }], forbidden: [] }));

const report = (judged: Coverage, probed: ProbeReport | null, labelled = true) =>
  CoverageReport.parse(reportCoverage('v4', judged, probed, labelled));
const statuses = (judged: Coverage, probed: ProbeReport | null = null) =>
  report(judged, probed).units.map((it) => it.coverage_status);
const many = Array.from({ length: 11 }, (_, i) => unit(`unit-${i}`));

describe('§21.8.6 the coverage report', () => {
  test('the coverage report has each unit’s coverage, hits, number of probes and evaluation time', () => {
    const result = report(coverage(unit('deploy', { coverage_pct: 0.9, hit_at_10: 0.95 })), null, false);
    expect(result).toEqual({
      manifest_version: 'v4',
      embedding_model_version: 'builtin@0123456789ab',
      evaluated_at: '2026-05-01T00:00:00Z',
      units: [
        {
          name: 'deploy',
          coverage_pct: 0.9,
          hit_at_10: 0.95,
          hit_at_3: 0.9,
          probe_count: 0,
          last_evaluated_at: '2026-05-01T00:00:00Z',
        },
      ],
    });
  });

  test('the hits of a unit come from its probes, if it has any', () => {
    const result = report(coverage(unit('deploy'), unit('access')), probes(...asks('deploy', 1, 4, 12, null)));
    expect(result.units[0]).toMatchObject({ hit_at_10: 0.5, hit_at_3: 0.25, probe_count: 4 });
    expect(result.units[0]?.last_evaluated_at).toBe('2026-05-02T00:00:00Z');
    expect(result.units[1]).toMatchObject({ hit_at_10: 1, probe_count: 0, last_evaluated_at: '2026-05-01T00:00:00Z' });
  });

  test('coverage reports have hit@3 only for gardens of at most ten units', () => {
    expect(report(coverage(...many.slice(1)), null).units[0]).toHaveProperty('hit_at_3');
    expect(report(coverage(...many), null).units[0]).not.toHaveProperty('hit_at_3');
  });

  test('a unit is critical below a hit@10 of 0.4, ok from 0.4 on, and not evaluated without paraphrases and probes', () => {
    expect(statuses(coverage(unit('a', { hit_at_10: 0.39 }), unit('b', { hit_at_10: 0.4 })))).toEqual([
      'coverage_critical',
      'ok',
    ]);
    expect(statuses(coverage(unit('a', { paraphrases: 0, found: 0, coverage_pct: 0, hit_at_10: 0 })))).toEqual([
      'not_evaluated',
    ]);
    expect(statuses(coverage(unit('a')), probes(...asks('a', 30, 40)))).toEqual(['coverage_critical']);
    const untriggered = { judged_by: 'nothing', paraphrases: 0, found: 0, coverage_pct: 0, hit_at_10: 0 } as const;
    expect(statuses(coverage(unit('a', untriggered)))).toEqual(['not_evaluated']);
    expect(statuses(coverage(unit('a', untriggered)), probes(...asks('a', 30, 40)))).toEqual(['coverage_critical']);
    for (const paraphrases of [0, 2]) {
      expect(statuses(coverage(unit('a', { paraphrases })), probes(...asks('a', 1, 2)))).toEqual(['ok']);
    }
  });

  test('S11: the status label is reported only on request', () => {
    for (const it of report(coverage(...many), null, false).units) expect(it).not.toHaveProperty('coverage_status');
  });
});
