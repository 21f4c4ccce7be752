import { describe, expect, test } from 'vitest';
import { probeFaults, whyItFails } from '../../compiler/quality/probe-faults.ts';
import type { Diagnostic } from '../../compiler/schema/diagnostics.ts';
import type { ProbeResult } from '../../compiler/schema/source/probe.ts';

const result = (intent: string, rank: number | null, more: Partial<ProbeResult> = {}): ProbeResult => ({
  intent,
  required: [{ name: 'refunds', rank }],
  forbidden: [],
  ...more,
});

const COPIED = { copied_by: { unit: 'refunds', text: 'nearly the same' } };
const UNITS = [
  { name: 'refunds', uri: 'instruction:acme/agent/cto/refunds/v1' },
  { name: 'house-rules', uri: 'instruction:acme/house-rules/v1' },
];
const POLICY = { k: 3, max_lost: 0, least_coverage: 0 };

/** The probes stand on line 2, 3 and so on; line 1 begins their list. */
function faults(
  policy: Partial<typeof POLICY & { wanted_coverage: number }>,
  results: ProbeResult[],
  before = results,
) {
  const at = ([, probe]: readonly PropertyKey[]) => ({ line: typeof probe === 'number' ? probe + 2 : 1, column: 5 });
  const answered = { agent: 'cto', units: UNITS, file: 'probes/cto.yaml', at, results, before };
  return probeFaults(answered, { ...POLICY, ...policy });
}

const told = (all: readonly Diagnostic[]) => all.map((it) => [it.rule, it.severity, it.line, it.column]);

const MIXED = [result('a', 1), result('b', 9), result('c', 2), result('d', null), result('e', 9, COPIED)];

describe('the policy for probes', () => {
  test('coverage below the least one is an error where the list begins and at each probe that lacks a unit', () => {
    expect(told(faults({ least_coverage: 0.6 }, MIXED))).toEqual([
      ['probe_coverage_low', 'error', 1, 5],
      ['probe_coverage_low', 'error', 3, 5],
      ['probe_coverage_low', 'error', 5, 5],
    ]);
    expect(faults({ least_coverage: 0.5 }, MIXED)).toEqual([]);
  });

  test('without a figure in org.yaml each probe that counts and fails is a warning, also where a forbidden unit comes', () => {
    const forbidden = result('f', 1, { forbidden: [{ name: 'travel', rank: 2 }] });
    expect(told(faults({}, [...MIXED, forbidden]))).toEqual([
      ['probe_fails', 'warning', 3, 5],
      ['probe_fails', 'warning', 5, 5],
      ['probe_fails', 'warning', 7, 5],
    ]);
    expect(faults({ wanted_coverage: 0.5 }, [...MIXED, forbidden])).toEqual([]);
  });

  test('the help names the brief for the unit that a probe lacks, and what to do about a forbidden one', () => {
    const shared = result('s', 1, { required: [{ name: 'house-rules', rank: 9 }] });
    const forbidden = result('f', 1, { forbidden: [{ name: 'refunds', rank: 2 }] });
    expect(faults({}, [result('b', 9), shared, forbidden]).map((it) => it.help)).toEqual([
      expect.stringMatching(/: vade brief phrases --agent cto --unit refunds$/),
      expect.stringMatching(/: vade brief phrases --agent shared --unit house-rules$/),
      expect.stringMatching(/phrases of refunds$/),
    ]);
    const figures = [[result('b', 9)], [result('e', 1, COPIED)]].map((all) => faults({ least_coverage: 0.6 }, all)[0]);
    expect(figures.map((it) => it?.help)).toEqual([
      expect.stringMatching(/: vade brief phrases --agent cto$/),
      expect.stringMatching(/: vade brief probes --agent cto$/),
    ]);
  });

  test('coverage below the wanted one warns, and is an error below the least one', () => {
    const severities = (least_coverage: number) =>
      new Set(faults({ least_coverage, wanted_coverage: 0.8 }, MIXED).map((it) => it.severity));
    expect([...severities(0)]).toEqual(['warning']);
    expect([...severities(0.7)]).toEqual(['error']);
  });

  test('the figure has its counts, also of the probes that do not count', () => {
    const [figure] = faults({ least_coverage: 0.6 }, MIXED);
    expect(figure?.message).toContain('is 0.5: 2 of 4 probes');
    expect(figure?.message).toContain('1 more do not count');
  });

  test('an agent of whose probes none counts has no coverage', () => {
    expect(told(faults({ least_coverage: 0.1 }, [result('e', 1, COPIED)]))).toEqual([
      ['probe_coverage_low', 'error', 1, 5],
    ]);
    expect(faults({}, [result('e', 1, COPIED)])).toEqual([]);
  });

  test('more lost probes than may be lost are errors, each at its line', () => {
    const before = MIXED.map((it) => result(it.intent, 1));
    expect(told(faults({}, MIXED, before))).toEqual([
      ['probe_lost', 'error', 3, 5],
      ['probe_lost', 'error', 5, 5],
    ]);
    expect(faults({ max_lost: 2, wanted_coverage: 0 }, MIXED, before)).toEqual([]);
    expect(faults({ max_lost: 2 }, MIXED, before).map((it) => it.severity)).toEqual(['warning', 'warning']);
  });

  test('a probe that is lost and lowers the coverage is reported once', () => {
    const before = [result('b', 1)];
    expect(told(faults({ least_coverage: 0.9 }, MIXED, before))).toEqual([
      ['probe_coverage_low', 'error', 1, 5],
      ['probe_coverage_low', 'error', 5, 5],
      ['probe_lost', 'error', 3, 5],
    ]);
  });

  test('a probe that counts now or before, and not both times, is not lost', () => {
    const rules = faults({}, [result('b', 9)], [result('b', 1, COPIED)]).map((it) => it.rule);
    expect(rules).toEqual(['probe_fails']);
    expect(faults({}, [result('b', 9, COPIED)], [result('b', 1)])).toEqual([]);
  });
});

describe('why a probe fails', () => {
  const above = { names: ['a', 'b', 'c'], count: 11 };

  test('is told with the ranks of what it requires, and what stands above each of them', () => {
    const two = [
      { name: 'refunds', rank: 5 },
      { name: 'limits', rank: 14 },
      { name: 'spending', rank: 2 },
    ];
    expect(whyItFails({ ...result('x', 1), required: two, above }, 3)).toBe(
      'refunds ranks 5, below a, b, c; limits ranks 14, below a, b, c and 8 more',
    );
  });

  test('is told of a unit that is not ranked at all', () => {
    expect(whyItFails(result('x', null, { above }), 3)).toBe('refunds is not ranked, below a, b, c and 8 more');
    expect(whyItFails(result('x', null), 3)).toBe('refunds is not ranked');
  });

  test('is told of a unit that it forbids', () => {
    expect(whyItFails(result('x', 1, { forbidden: [{ name: 'travel', rank: 2 }] }), 3)).toBe(
      'travel is forbidden, but ranks 2',
    );
  });
});
