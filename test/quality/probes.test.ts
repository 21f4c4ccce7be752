import { describe, expect, test } from 'vitest';
import {
  aboveOf,
  compareProbes,
  foundByProbes,
  passes,
  requiredFound,
  runProbes,
  summarise,
  unprobed,
} from '../../compiler/quality/probes.ts';
import { quantise } from '../../compiler/recall/signals/semantic.ts';
import { ProbeSet, ProbeSummary, type ProbeResult } from '../../compiler/schema/source/probe.ts';
import { encoder, grown, NOW, UNITS } from './garden.ts';

const at = (name: string, rank: number | null) => ({ name, rank });
const result = (intent: string, required: ProbeResult['required'], forbidden: ProbeResult['forbidden'] = []) => ({
  intent,
  required,
  forbidden,
});

const RESULTS: ProbeResult[] = [
  result('both first', [at('incident', 1), at('backups', 2)]),
  result('one deep', [at('incident', 1), at('backups', 7)]),
  result('none', [at('leave', null)]),
  result('a forbidden one', [at('leave', 1)], [at('travel', 3)]),
];

describe('§21.5.4 probes of a garden', () => {
  test('Probe-coverage@k is the mean share of required units among the first k, Probe-hit@k of probes with any', () => {
    const summary = ProbeSummary.parse(summarise(RESULTS, 3, 8));
    expect(summary).toMatchObject({ k: 3, probes: 4, coverage_at_k: 0.625, hit_at_k: 0.75, hit_at_10: 0.75 });
    expect(summarise(RESULTS, 10, 8).coverage_at_k).toBe(0.75);
  });

  test('each unit has the figures of the probes that require it', () => {
    expect(summarise(RESULTS, 3, 8).units).toEqual([
      { name: 'backups', probe_count: 2, coverage_at_k: 0.5, hit_at_k: 1, hit_at_10: 1 },
      { name: 'incident', probe_count: 2, coverage_at_k: 1, hit_at_k: 1, hit_at_10: 1 },
      { name: 'leave', probe_count: 2, coverage_at_k: 0.5, hit_at_k: 0.5, hit_at_10: 0.5 },
    ]);
  });

  test('a unit is found by its probes if there are two or more, and four of five find it', () => {
    const of = (name: string, probe_count: number, coverage_at_k: number) => {
      return { name, probe_count, coverage_at_k, hit_at_k: 1, hit_at_10: 1 };
    };
    const units = [of('a', 2, 1), of('b', 1, 1), of('c', 5, 0.8), of('d', 4, 0.75)];
    expect([...foundByProbes({ units })]).toEqual(['a', 'c']);
  });

  test('probe summaries report hit@3 only for gardens of at most ten units', () => {
    expect([summarise(RESULTS, 3, 10).hit_at_3, summarise(RESULTS, 3, 11).hit_at_3]).toEqual([0.75, null]);
  });

  test('without probes, all shares are 0', () => {
    expect(summarise([], 3, 8)).toMatchObject({ probes: 0, coverage_at_k: 0, hit_at_k: 0, units: [] });
  });

  test('a probe passes with every required unit among the first k, and no forbidden one', () => {
    expect(RESULTS.map((it) => passes(it, 3))).toEqual([true, false, false, false]);
    expect(RESULTS.map((it) => passes(it, 7))).toEqual([true, true, false, false]);
    expect(passes(result('a forbidden one', [at('leave', 1)], [at('travel', 3)]), 2)).toBe(true);
  });

  test('a comparison names won and lost probes; a new probe is neither', () => {
    const before = [result('x', [at('leave', 1)]), result('y', [at('leave', 9)]), result('same', [at('leave', 2)])];
    const after = [
      result('x', [at('leave', 4)]),
      result('y', [at('leave', 1)]),
      result('same', [at('leave', 3)]),
      result('new', [at('leave', null)]),
    ];
    expect(compareProbes(before, after, 3)).toEqual({ won: ['y'], lost: ['x'] });
  });

  const COPIED = { copied_by: { unit: 'leave', text: 'nearly the same' } };

  test('a probe that a text nearly copies counts in no figure, and is neither won nor lost', () => {
    const all = [...RESULTS, { ...result('copied', [at('refunds', 1)]), ...COPIED }];
    expect(summarise(all, 3, 8)).toEqual({ ...summarise(RESULTS, 3, 8), uncounted: 1 });
    expect(requiredFound(all, 3)).toEqual(requiredFound(RESULTS, 3));
    const [first, last] = [result('x', [at('leave', 1)]), result('x', [at('leave', 9)])];
    expect(compareProbes([first], [{ ...last, ...COPIED }], 3)).toEqual({ won: [], lost: [] });
    expect(compareProbes([{ ...first, ...COPIED }], [last], 3)).toEqual({ won: [], lost: [] });
  });

  test('the units that no probe requires, or only one that does not count', () => {
    const probes = [result('x', [at('leave', 4)]), { ...result('y', [at('travel', 1)]), ...COPIED }];
    expect(unprobed(['travel', 'leave', 'backups'], probes)).toEqual(['backups', 'travel']);
  });

  test('a result has the units above the last required one, and how many there are', async () => {
    const garden = await grown(UNITS, null);
    const probes = [
      { intent: 'production is down', required: ['incident'], forbidden: [] },
      { intent: 'production is down', required: ['hiring', 'incident'], forbidden: [] },
      { intent: 'production is down', required: ['leave', 'incident'], forbidden: [] },
    ];
    const [first, , unranked] = await runProbes(garden, probes, () => Promise.resolve(null), NOW);
    expect(first).not.toHaveProperty('above');
    for (const it of await runProbes(garden, probes, () => Promise.resolve(null), NOW)) {
      const ranks = it.required.map(({ rank }) => rank ?? Infinity);
      if (Math.max(...ranks) === Infinity) continue;
      expect(it.above?.count ?? 0).toBe(Math.max(...ranks) - it.required.length);
    }
    expect(unranked?.required).toContainEqual(at('leave', null));
  });

  test('the units above each required one leave out the others that are required', () => {
    const above = { names: ['a', 'b', 'c'], count: 5 };
    const probe = { ...result('x', [at('leave', 2), at('travel', 4), at('backups', 8), at('hiring', null)]), above };
    expect(probe.required.map((it) => aboveOf(probe, it))).toEqual([
      { names: ['a'], count: 1 },
      { names: ['a', 'b'], count: 2 },
      { names: ['a', 'b', 'c'], count: 5 },
      above,
    ]);
  });

  test('probes rank like a recall: exact names come first, guarantees do not count', async () => {
    const garden = await grown(UNITS, encoder, { newsletter: { guarantee_load: true } });
    const queryOf = async (intent: string) => {
      const [vector] = await encoder.encode([intent], 'query');
      return quantise(vector ?? null, garden.index.vectors?.mean ?? []);
    };
    const { probes } = ProbeSet.parse({
      probes: [
        { intent: 'take command of an outage, as `travel` says', required: ['travel', 'incident'] },
        { intent: 'production is down', required: ['incident'], forbidden: ['newsletter'] },
      ],
    });
    const [named, plain] = await runProbes(garden, probes, queryOf, NOW);
    expect(named?.required).toEqual([at('travel', 1), at('incident', 2)]);
    expect(plain?.required).toEqual([at('incident', 1)]);
    expect(plain?.forbidden[0]?.rank ?? 99).toBeGreaterThan(3);
  });

  test('a unit that is not in force is not ranked', async () => {
    const garden = await grown(UNITS, encoder);
    const { probes } = ProbeSet.parse({ probes: [{ intent: 'production is down', required: ['incident'] }] });
    const until = garden.until.map((it, unit) => (garden.index.names[unit] === 'incident' ? 0 : it));
    const expired = { ...garden, until, expiring: Int32Array.from(garden.facts.keys()) };
    const [probe] = await runProbes(expired, probes, () => Promise.resolve(null), NOW);
    expect(probe?.required).toEqual([at('incident', null)]);
  });
});
