import { describe, expect, test } from 'vitest';
import { boost, BOOST, criticalUnits, hitsAmongTen } from '../../../compiler/recall/rank/boost.ts';
import { SCORING } from '../../../compiler/recall/rank/scoring.ts';
import type { Coverage } from '../../../compiler/schema/bundle/coverage.ts';
import type { ProbeReport } from '../../../compiler/schema/source/probe.ts';

const coverage = (hits: Readonly<Record<string, number>>, paraphrases = 5) =>
  ({
    units: Object.entries(hits).map(([name, hit_at_10]) => ({ name, hit_at_10, paraphrases })),
  }) as unknown as Coverage;
const probes = (hits: Readonly<Record<string, number>>) => ({ summary: coverage(hits) }) as unknown as ProbeReport;

describe('§21.5.5 critical units', () => {
  test('the hits of a unit come from its probes, or from its paraphrases if it has no probes', () => {
    const measured = coverage({ a: 0.9, b: 0.1 });
    expect(hitsAmongTen(measured, null)).toEqual(
      new Map([
        ['a', 0.9],
        ['b', 0.1],
      ]),
    );
    expect(hitsAmongTen(measured, probes({ a: 0.2, x: 1 }))).toEqual(
      new Map([
        ['a', 0.2],
        ['b', 0.1],
      ]),
    );
  });

  test('a unit is critical below two hits in five', () => {
    expect(criticalUnits(coverage({ a: 0.39, b: 0.4, c: 1 }), null)).toEqual(new Set(['a']));
    expect(criticalUnits(coverage({ a: 0.39, b: 0.4 }), probes({ a: 1, b: 0 }))).toEqual(new Set(['b']));
  });

  test('a unit that no paraphrase and no probe asks for is none: nothing says that it is hardly found', () => {
    expect(criticalUnits(coverage({ a: 0, b: 0 }, 0), null)).toEqual(new Set());
    expect(criticalUnits(coverage({ a: 0, b: 0 }, 0), probes({ b: 0 }))).toEqual(new Set(['b']));
  });

  test('the boost raises only positive scores of boosted units, up to a million, in a copy', () => {
    const total = Int32Array.of(0, 1, 900_000, 5);
    const boosted = Int32Array.of(0, 1, 2, 9);
    expect(boost(total, { boosted, unwritten: [] })).toEqual(Int32Array.of(0, 1 + BOOST.millionths, 1_000_000, 5));
    expect(total).toEqual(Int32Array.of(0, 1, 900_000, 5));
    expect(boost(total, { boosted: new Int32Array(), unwritten: [] })).toBe(total);
  });

  test('a quarter of the score counts for a text as init wrote it', () => {
    const total = Int32Array.of(8, 8);
    expect(boost(total, { boosted: new Int32Array(), unwritten: [1] })).toEqual(Int32Array.of(8, 2));
  });

  test('the certificate of coverage has every constant of the score', () => {
    expect(SCORING).toEqual({
      weights: { lexical: 35, semantic: 50, graph: 15 },
      lexical: {
        k1: 1.2,
        b: 0.75,
        fields: { triggers: 2, phrases: 1.5, description: 1.5, heading: 1, content: 1, task_types: 0.5 },
        half: 24,
        deduction: { share: 0.014, most: 120 },
      },
      semantic: { best: 2, text: 3, discount: 0.025, power: 1.5, windows: { characters: 1_200, most: 8 } },
      graph: { hops: 2, per_hop: 0.5 },
      lift: { lambda: 0.15, millionths: 139_762 },
      confidence: { nearest: 3, weight: 0.5 },
    });
  });
});
