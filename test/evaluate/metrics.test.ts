import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { measureAgent, missRateOf, type AuditedAnswer } from '../../compiler/evaluate/metrics.ts';
import { AgentMetrics } from '../../compiler/model/metrics.ts';

const answer = (over: Partial<AuditedAnswer> = {}): AuditedAnswer => ({
  kind: 'recall',
  heartbeat_id: 'hb_1',
  loaded: ['deploy', 'incident', 'limits'],
  used: ['deploy'],
  missed: [],
  closed: true,
  tokens: 300,
  ...over,
});

const MEASURED = {
  agent_id: '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9',
  since: '2026-05-01T00:00:00Z',
  until: '2026-05-08T00:00:00Z',
  depths: [1, 3],
  guaranteed: ['limits'],
  eagerTokens: 4000,
};

const measure = (answers: AuditedAnswer[], over: Partial<typeof MEASURED> = {}) =>
  AgentMetrics.parse(measureAgent(answers, { ...MEASURED, ...over }));

describe('§21.5.3 live metrics', () => {
  test('Recall@k is the share of used units that were loaded within rank k', () => {
    const { at } = measure([answer(), answer({ used: ['deploy', 'limits', 'elsewhere'] })]);
    expect(at).toEqual([
      { k: 1, recall: 0.5, hit: 1 },
      { k: 3, recall: 0.75, hit: 1 },
    ]);
  });

  test('Hit@k is grouped by heartbeat', () => {
    const { at } = measure([
      answer({ heartbeat_id: 'a', used: ['limits'] }),
      answer({ heartbeat_id: 'a', used: ['deploy'] }),
      answer({ heartbeat_id: 'b', used: ['elsewhere'] }),
    ]);
    expect(at.map(({ k, hit }) => [k, hit])).toEqual([
      [1, 0.5],
      [3, 0.5],
    ]);
  });

  test('the miss rate is |missed| of |used| and |missed|; a recall that used nothing but missed something is a miss', () => {
    const { miss_rate, missed } = measure([
      answer({ used: ['deploy', 'incident'], missed: ['refunds'] }),
      answer({ used: [], missed: ['refunds', 'access'] }),
    ]);
    expect(miss_rate).toBe(0.6);
    expect(missed).toEqual([
      { name: 'refunds', times: 2 },
      { name: 'access', times: 1 },
    ]);
  });

  test('recalls that were never closed, or closed without a word, are counted and left out', () => {
    const metrics = measure([
      answer({ closed: false, used: [], missed: [] }),
      answer({ used: [], missed: [] }),
      answer({ missed: ['access'] }),
    ]);
    expect(metrics).toMatchObject({ recalls: 3, excluded: { unclosed: 1, silent: 1 }, events: 1, miss_rate: 0.5 });
  });

  test.each([
    [99, 0.5, false],
    [100, 0.5, true],
    [100, 0, false],
  ])('over %i events with a miss rate of %d it alerts: %s', (events, rate, alert) => {
    const missed = rate > 0 ? ['access'] : [];
    expect(measure(Array.from({ length: events }, () => answer({ missed }))).alert).toBe(alert);
  });

  test('a miss rate of exactly 0.15 does not alert', () => {
    const answers = Array.from({ length: 100 }, (_, i) => answer(i < 15 ? { used: [], missed: ['x'] } : {}));
    const { miss_rate, alert } = measure(answers);
    expect([miss_rate, alert]).toEqual([0.15, false]);
  });

  test('a guaranteed unit that fewer than six of ten recalls use is warned of', () => {
    const used = (n: number) => Array.from({ length: 10 }, (_, i) => answer({ used: i < n ? ['limits'] : ['deploy'] }));
    expect(measure(used(5)).guaranteed).toEqual([{ name: 'limits', recalled: 10, relevant: 0.5, warning: true }]);
    expect(measure(used(6)).guaranteed[0]).toMatchObject({ relevant: 0.6, warning: false });
    expect(measure([]).guaranteed).toEqual([{ name: 'limits', recalled: 0, relevant: null, warning: false }]);
  });

  test('tokens are compared with loading every unit at every heartbeat', () => {
    const answers = [answer(), answer({ kind: 'heartbeat', tokens: 500 }), answer({ heartbeat_id: 'hb_2' })];
    expect(measure(answers).tokens).toEqual({ lazy: 1100, eager: 8000, saved: 0.8625 });
  });

  test('nothing to tell from is null, never a perfect figure', () => {
    const { at, miss_rate, tokens } = measure([]);
    expect([at[0], miss_rate, tokens.saved]).toEqual([{ k: 1, recall: null, hit: null }, null, null]);
  });

  test('the limit of it is said beside the numbers', () => {
    expect(measure([]).limitation).toMatch(/never loaded/);
  });

  test('no order of the rows changes a figure', () => {
    const name = fc.constantFrom('deploy', 'incident', 'limits', 'access');
    const rows = fc.array(
      fc.record({
        kind: fc.constantFrom('recall' as const, 'heartbeat' as const),
        heartbeat_id: fc.constantFrom('a', 'b', 'c'),
        loaded: fc.uniqueArray(name),
        used: fc.uniqueArray(name),
        missed: fc.uniqueArray(name),
        closed: fc.boolean(),
        tokens: fc.nat(1000),
      }),
    );
    fc.assert(
      fc.property(rows, (all) => {
        expect(measure([...all].reverse())).toEqual(measure(all));
        expect(missRateOf(all) ?? 0).toBeLessThanOrEqual(1);
      }),
    );
  });
});
