import { describe, expect, test } from 'vitest';
import { loggedRecall, withdrawnThen } from '../../compiler/quality/logged-recall.ts';
import { createReplayCounter, type CountedRecall } from '../../compiler/quality/replay-tally.ts';
import type { AuditedAnswer } from '../../compiler/schema/audit/answered.ts';
import { ReplayReport, VERDICTS } from '../../compiler/schema/report/replay-report.ts';
import { record, withoutTokens } from '../server/audit/records.ts';

const answered = (over: Partial<AuditedAnswer> = {}): AuditedAnswer => {
  return { ...withoutTokens(record(1)), seq: 1, closing: null, first: null, ...over };
};

const counted = (over: Partial<CountedRecall> = {}): CountedRecall => ({
  ...{ id: 'audevent_1', agent: 'cto', agent_id: 'cto-id', revision: '7-abc', verdict: 'identical' },
  ...{ gained: [], dropped: [], tokens: 0, before: 30, isProof: false, ...over },
});

describe('§21.3.4 an entry of the audit, to be asked again', () => {
  test('a recorded recall has the request, its intent, the units by rank, and the used and missed units', () => {
    const [first, second] = record(1).loaded_chunks;
    const closing = { used_chunks: ['wrap-up'], missed_chunks: ['on-call'], nothing_fits: false, at: 5 };
    const loaded_chunks = [second!, first!];
    expect(loggedRecall(answered({ loaded_chunks, closing }))).toMatchObject({
      request: {
        intent: 'intent 1',
        max_chunks: 3,
        token_budget: 2000,
        manifest_hint: [],
        candidates: 0,
        files: record(1).files,
      },
      candidates: ['incident'],
      ...{ loaded: ['wrap-up', 'heartbeat'], used: ['wrap-up'], missed: ['on-call'], bundle_revision: '7-abc' },
    });
  });

  test.each<[string, Partial<AuditedAnswer>]>([
    ['heartbeat', { kind: 'heartbeat', intent: '' }],
    ['intent_gone', { intent: '' }],
    ['request_unreadable', { request: '' }],
    ['request_unreadable', { request: 'null and void' }],
    ['request_unreadable', { request: '{"max_chunks":99}' }],
    ['request_unreadable', { request: '{"surprise":1}' }],
    ['request_unreadable', { files: ['/etc/passwd'] }],
    ['request_unreadable', { now: 'soon' }],
    ['request_unreadable', { now: '2026-13-01T00:00:00.000Z' }],
  ])('an audit entry that cannot be replayed gives the reason %s', (why, over) => {
    expect(loggedRecall(answered(over))).toBe(why);
  });

  test('an intent in the recorded request does not replace the audited intent', () => {
    const request = '{"max_chunks":2,"intent":"something else"}';
    expect(loggedRecall(answered({ request }))).toMatchObject({ request: { intent: 'intent 1' } });
  });

  test('only units with the outcome withdrawn count as withdrawn at that time', () => {
    const left_out = ['incident over_max_chunks', 'budget withdrawn', 'wrap-up expired'].map((it) => {
      const [name = '', outcome = ''] = it.split(' ');
      return { name, outcome };
    });
    expect(withdrawnThen({ left_out })).toEqual(['budget']);
  });
});

describe('the report of a replay', () => {
  test('a replay report counts recalls by agent and in total, and skipped recalls by reason', () => {
    const counter = createReplayCounter(0);
    counter.count(counted());
    counter.count(counted({ verdict: 'worse', tokens: -10 }));
    counter.count(counted({ agent: 'ceo', agent_id: 'ceo-id', verdict: 'better', tokens: 7, before: 3 }));
    counter.skip('intent_gone');
    const report = ReplayReport.parse(counter.report('8-def'));
    expect(report).toMatchObject({ revision: '8-def', read: 4, not_replayed: { intent_gone: 1 } });
    expect(report.total).toMatchObject({ replayed: 3, worse: 1, better: 1, identical: 1 });
    expect(report.total.tokens).toEqual({ before: 63, after: 60, change: -3 });
    expect(report.agents.map((it) => [it.agent, it.replayed, it.tokens.change])).toEqual([
      ['ceo', 1, 7],
      ['cto', 2, -10],
    ]);
  });

  test('a replay report lists worse changes first, up to its limit, and counts the omitted ones', () => {
    const counter = createReplayCounter(3);
    for (let i = 0; i < 100; i++) {
      counter.count(counted({ id: `a${i}`, verdict: 'better' }));
      counter.count(counted({ id: `b${i}`, verdict: 'same_units' }));
    }
    for (const id of ['w1', 'w2']) counter.count(counted({ id, verdict: 'worse' }));
    const { changed, omitted } = counter.report('8-def');
    expect(changed.map((it) => it.id)).toEqual(['w1', 'w2', 'b0']);
    expect(omitted).toBe(199);
  });

  test.each(VERDICTS.filter((it) => it !== 'identical'))(
    'the verdict %s from the bundle that answered counts as a difference',
    (verdict) => {
      const counter = createReplayCounter(0);
      counter.count(counted({ isProof: true }));
      counter.count(counted({ isProof: true, verdict }));
      expect(counter.report('7-abc').proof).toEqual({ replayed: 2, differing: 1 });
      expect(counter.differing()).toMatchObject([{ verdict }]);
    },
  );

  test('a different token count for identical texts counts as a difference', () => {
    const counter = createReplayCounter(0);
    counter.count(counted({ isProof: true, tokens: 1 }));
    expect(counter.report('7-abc')).toMatchObject({ proof: { differing: 1 }, omitted: 0, changed: [{ tokens: 1 }] });
  });
});
