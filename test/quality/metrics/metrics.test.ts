import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMetrics, type Measured } from '../../../compiler/quality/metrics/metrics.ts';
import { AgentMetrics, MISSED_NAMED } from '../../../compiler/schema/api/metrics.ts';
import { addAnswers, type Answer } from '../../server/audit/summed.ts';
import { DAY_MS, MEASURED, row, UNTIL, WINDOW, type Row } from '../reported.ts';

function measure(rows: readonly Answer[], over: Partial<Measured> = {}, window = WINDOW): AgentMetrics {
  const metrics = createMetrics({ ...MEASURED, ...over }, window);
  addAnswers(metrics, rows, { ...window, entities: { [MEASURED.agent_id]: MEASURED.entity } });
  return AgentMetrics.parse(metrics.result());
}

/** The recall of a candidate, by its name. */
const follow = ({ seq }: Answer, over: Row = {}) =>
  row({ loaded: ['access', 'limits'], hints: ['access'], first: { seq, intent: 'before' }, ...over });

const many = (n: number, over: (i: number) => Row = () => ({})) => Array.from({ length: n }, (_, i) => row(over(i)));

describe('§21.5.3 live metrics', () => {
  test('Recall@k is the share of used units that were loaded within rank k', () => {
    const { at } = measure([row(), row({ used: ['deploy', 'limits', 'elsewhere'] })]);
    expect(at).toEqual([
      { k: 1, recall: 0.5, hit: 1 },
      { k: 3, recall: 0.75, hit: 1 },
    ]);
  });

  test('Hit@k is grouped by heartbeat', () => {
    const { at } = measure([
      row({ heartbeat_id: 'a', used: ['limits'] }),
      row({ heartbeat_id: 'a', used: ['deploy'] }),
      row({ heartbeat_id: 'b', used: ['elsewhere'] }),
    ]);
    expect(at.map(({ k, hit }) => [k, hit])).toEqual([
      [1, 0.5],
      [3, 0.5],
    ]);
  });

  test('the miss rate is |missed| / (|used| + |missed|), and counts recalls that used nothing but missed a unit', () => {
    const { miss_rate, missed, excluded } = measure([
      row({ used: ['deploy', 'incident'], missed: ['refunds'] }),
      row({ used: [], missed: ['refunds', 'access'] }),
    ]);
    expect([miss_rate, excluded.unused]).toEqual([0.6, 1]);
    expect(missed).toEqual([
      { name: 'refunds', times: 2, exists: false },
      { name: 'access', times: 1, exists: true },
    ]);
  });

  test('that nothing fits counts as one missed in the miss rate, unless its agent names what was missed', () => {
    const none = { used: [], nothingFits: true };
    expect(measure([row(none), row()])).toMatchObject({
      miss_rate: 0.5,
      missed: [],
      excluded: { unused: 1, silent: 0 },
    });
    expect(measure([row({ ...none, missed: ['a', 'b'] }), row()])).toMatchObject({ miss_rate: 0.6667, events: 2 });
  });

  test('a unit that an agent reports twice counts once', () => {
    const { at, miss_rate, missed } = measure([row({ used: ['deploy', 'deploy', 'x'], missed: ['y', 'y', 'y'] })]);
    expect([at[0]?.recall, miss_rate, missed[0]?.times]).toEqual([0.5, 0.3333, 1]);
  });

  test('recalls without a closing or without a report are counted separately, and are in no figure', () => {
    const metrics = measure([row({ closed: false }), row({ used: [] }), row({ missed: ['access'] })]);
    expect(metrics).toMatchObject({ recalls: 3, excluded: { unclosed: 1, silent: 1 }, events: 1, miss_rate: 0.5 });
  });

  test('a recall and what follows it are one find, also if the agent closes both', () => {
    const first = row({ used: ['access'] });
    const choice = follow(first, { used: ['access'] });
    const { at, finds, recalls, miss_rate } = measure([first, choice]);
    expect([recalls, miss_rate]).toEqual([2, 0]);
    expect(finds).toEqual({ reported: 1, first: 0, choice: 1, none: 0 });
    expect(at).toEqual([
      { k: 1, recall: 1, hit: 1 },
      { k: 3, recall: 1, hit: 1 },
    ]);
  });

  test('a find is right in first place, after a choice, or finds nothing; one without a report is none of them', () => {
    const [silent, open, missing] = [row({ used: [] }), row({ closed: false }), row({ used: [], missed: ['refunds'] })];
    const { finds } = measure([
      ...[row(), row({ used: [], nothingFits: true }), missing, silent, open],
      ...[follow(open, { used: ['access'] }), follow(silent, { used: [] }), follow(row(), { closed: false })],
      // asked again in other words: what it used was neither in the first answer nor chosen
      follow(row({ closed: false }), { used: ['access'], hints: [] }),
    ]);
    expect(finds).toEqual({ reported: 4, first: 0.25, choice: 0.25, none: 0.5 });
  });

  test('a choice is in the find of its first recall, whoever of the two names the unit, and whenever it came', () => {
    const first = row({ used: ['access'], created_at: UNTIL - 8 * DAY_MS + 1000 });
    const late = follow(first, { closed: false, created_at: UNTIL - 7 * DAY_MS });
    const window = { ...WINDOW, since: UNTIL - 30 * DAY_MS };
    expect(measure([first, late], {}, window).finds).toMatchObject({ reported: 1, choice: 1 });
    expect(measure([first, late]).finds).toMatchObject({ reported: 0, choice: null });
  });

  test('recalls of other callers are counted separately, and are in no figure', () => {
    const other = row({ closed: false, asked_by: 'acme/human/jane', heartbeat_id: 'hb_9' });
    const metrics = measure([row(), other]);
    expect(metrics).toMatchObject({ recalls: 1, heartbeats: 1, excluded: { by_others: 1, unclosed: 0 } });
    expect(metrics.tokens.lazy).toBe(measure([row()]).tokens.lazy);
  });

  test('the report of a wake-up counts for the miss rate, but not for Recall@k, because preloads are not ranked', () => {
    const { miss_rate, events, recalls, at } = measure([
      row(),
      row({ kind: 'heartbeat', used: ['limits'], missed: ['access'] }),
    ]);
    expect([miss_rate, events, recalls, at[0]?.recall]).toEqual([0.3333, 2, 1, 1]);
  });

  test.each([
    [99, 0.5, false],
    [100, 0.5, true],
    [100, 0, false],
  ])('%i events with a miss rate of %d alert: %s', (events, rate, alert) => {
    expect(measure(many(events, () => ({ missed: rate > 0 ? ['access'] : [] }))).alert).toBe(alert);
  });

  test('a miss rate of exactly 0.15 does not alert', () => {
    const { miss_rate, alert } = measure(many(100, (i) => (i < 15 ? { used: [], missed: ['x'] } : {})));
    expect([miss_rate, alert]).toEqual([0.15, false]);
  });

  test('the alert uses the last seven days, even in a longer window', () => {
    const window = { ...WINDOW, since: UNTIL - 30 * DAY_MS };
    const old = many(100, () => ({ used: [], missed: ['x'], created_at: UNTIL - 8 * DAY_MS }));
    const { miss_rate, alert, rolling } = measure([...old, ...many(100)], {}, window);
    expect([miss_rate, alert]).toEqual([0.5, false]);
    expect(rolling).toEqual({ since: '2026-05-01T12:00:00.000Z', miss_rate: 0, events: 100 });
  });

  test('each day has its own figures, and a miss rate over the seven days that end with it', () => {
    const window = { ...WINDOW, since: UNTIL - 30 * DAY_MS };
    const at = (days: number) => ({ created_at: UNTIL - days * DAY_MS });
    const rows = [row({ ...at(10), missed: ['x'] }), row(at(4)), row({ ...at(3), used: [], missed: ['x'] })];
    const recall_at = (recall: number | null) => [1, 3].map((k) => ({ k, recall }));
    expect(measure([...rows, row({ ...at(3), closed: false })], {}, window).days).toEqual([
      { day: '2026-04-28', recalls: 1, events: 1, miss_rate: 0.5, rolling: 0.5, recall_at: recall_at(1) },
      { day: '2026-05-04', recalls: 1, events: 1, miss_rate: 0, rolling: 0.3333, recall_at: recall_at(1) },
      { day: '2026-05-05', recalls: 2, events: 1, miss_rate: 1, rolling: 0.5, recall_at: recall_at(null) },
    ]);
  });

  test('a guaranteed unit has a warning if fewer than 60 % of its recalls use it', () => {
    const used = (n: number) => many(10, (i) => ({ used: i < n ? ['limits'] : ['deploy'] }));
    expect(measure(used(5)).guaranteed).toEqual([{ name: 'limits', recalled: 10, relevant: 0.5, warning: true }]);
    expect(measure(used(6)).guaranteed[0]).toMatchObject({ relevant: 0.6, warning: false });
    expect(measure([]).guaranteed).toEqual([{ name: 'limits', recalled: 0, relevant: null, warning: false }]);
  });

  test('figures without any recall are null', () => {
    const { at, miss_rate, tokens, days } = measure([]);
    expect([at[0], miss_rate, tokens.saved, days]).toEqual([{ k: 1, recall: null, hit: null }, null, null, []]);
  });

  test('missed names beyond the limit are only counted', () => {
    const { missed, more_missed } = measure(many(60, (i) => ({ missed: [`unit-${String(i).padStart(2, '0')}`] })));
    expect([missed.length, more_missed, missed[0]?.name]).toEqual([MISSED_NAMED, 10, 'unit-00']);
  });

  test('the metrics state their limitation', () => {
    expect(measure([]).limitation).toMatch(/never loaded/);
  });

  test('reversing the order of the rows changes no figure', () => {
    const name = fc.constantFrom('deploy', 'incident', 'limits', 'access');
    const rows = fc.array(
      fc
        .record({
          kind: fc.constantFrom('recall' as const, 'heartbeat' as const),
          heartbeat_id: fc.constantFrom('a', 'b', 'c'),
          heartbeat_source: fc.constantFrom('verified' as const, 'generated' as const),
          asked_by: fc.constantFrom('acme/agent/cto', 'acme/human/jane'),
          created_at: fc.integer({ min: WINDOW.since, max: UNTIL }),
          loaded: fc.uniqueArray(name),
          used: fc.array(name),
          missed: fc.array(name),
          closed: fc.boolean(),
          tokens: fc.nat(1000),
        })
        .map(row),
    );
    fc.assert(
      fc.property(rows, (all) => {
        const metrics = measure(all);
        expect(measure([...all].reverse())).toEqual(metrics);
        const { recalls, excluded, events } = metrics;
        expect(excluded.by_others + recalls).toBeLessThanOrEqual(all.length);
        expect(excluded.unclosed + excluded.silent + events).toBeLessThanOrEqual(all.length);
      }),
    );
  });
});

describe('tokens saved against eager loading', () => {
  test('tokens of lazy and eager loading are compared per heartbeat', () => {
    const rows = [row(), row({ kind: 'heartbeat', tokens: 500 }), row({ heartbeat_id: 'hb_2' })];
    // hb_2 has no wake-up in the audit: its agent read its stub of 100 tokens all the same
    const tokens = { heartbeats: 2, unnamed: 0, lazy: 300 + 500 + 300 + 100, eager: 8000, saved: 0.85 };
    expect(measure(rows).tokens).toEqual(tokens);
  });

  test('saved tokens leave out recalls without a named heartbeat', () => {
    const rows = [row(), row({ heartbeat_id: 'hb_g', heartbeat_source: 'generated' })];
    expect(measure(rows).tokens).toEqual({ heartbeats: 1, unnamed: 1, lazy: 400, eager: 4000, saved: 0.9 });
    expect(measure(rows.slice(1)).tokens).toMatchObject({ heartbeats: 0, unnamed: 1, saved: null });
  });

  test('saved tokens leave out aborted wake-ups', () => {
    expect(measure([row({ kind: 'heartbeat', aborted: true, tokens: 0 })]).tokens).toMatchObject({
      heartbeats: 0,
      eager: 0,
    });
  });

  test('the saved share is 0 if lazy loading costs more', () => {
    expect(measure([row({ tokens: 9000 })]).tokens.saved).toBe(0);
  });
});
