import { describe, expect, test } from 'vitest';
import { shadow, type ShadowedAgent, type ShadowedAnswer } from '../../compiler/quality/shadow.ts';

const AGENT: ShadowedAgent = {
  entity: 'acme/agent/cto',
  units: new Set(['limits', 'wrap-up', 'incident']),
  costs: { everything: 1000, stub: 40, manifest: 90 },
};

let made = 0;

/** A recall of heartbeat `hb` that brought `wrap-up`, changed as asked. */
function answer(over: Partial<ShadowedAnswer> = {}): ShadowedAnswer {
  return {
    kind: 'recall',
    aborted: false,
    heartbeat_id: 'hb',
    heartbeat_source: 'caller',
    asked_by: AGENT.entity,
    loaded_chunks: [{ name: 'wrap-up', source: 'stigmem', rank: 1, version: 'v1' }],
    tokens: 10,
    created_at: (made += 1),
    closing: null,
    ...over,
  };
}

const closed = (used: string[], missed: string[] = [], at = 5000) => ({
  closing: { used_chunks: used, missed_chunks: missed, nothing_fits: false, at },
});
const of = (...answers: ShadowedAnswer[]) => shadow(answers, 10_000, AGENT);

describe('§21.6.2 lazy against eager, heartbeat by heartbeat', () => {
  test('a heartbeat costs its recalls, and the stub once', () => {
    const { heartbeats } = of(answer(), answer());
    expect(heartbeats).toMatchObject([{ recalls: 2, tokens: { lazy: 60, eager: 1000 } }]);
  });

  test('a heartbeat with a recorded wake-up costs the tokens of the wake-up instead of the stub', () => {
    expect(of(answer({ kind: 'heartbeat', tokens: 55 }), answer()).totals.tokens).toMatchObject({
      lazy: 65,
      eager: 1000,
    });
  });

  test('an aborted wake-up does not count as a heartbeat', () => {
    const aborted = answer({ kind: 'heartbeat', aborted: true, heartbeat_id: 'other', tokens: 0, loaded_chunks: [] });
    expect(of(aborted, answer()).totals).toMatchObject({ heartbeats: { total: 1 }, tokens: { lazy: 50, eager: 1000 } });
  });

  test('a missed unit that a later recall of the heartbeat loads is no regression, but still a miss', () => {
    const { totals, heartbeats } = of(
      answer({ ...closed([], ['limits']) }),
      answer({ ...closed(['limits']), loaded_chunks: [{ name: 'limits', source: 'stigmem', rank: 1, version: 'v1' }] }),
    );
    expect(heartbeats).toMatchObject([{ wanted: 1, brought: 1, regressions: [] }]);
    expect(totals).toMatchObject({ miss_rate: 0.5, coverage: 1 });
  });

  test('a missed unit that no answer of the heartbeat loads is a regression', () => {
    const { totals } = of(
      answer({ ...closed(['wrap-up'], ['limits', 'on-call']) }),
      answer({ ...closed([], ['limits']) }),
    );
    expect(totals.regressions).toEqual([{ name: 'limits', heartbeats: 1 }]);
    expect(totals).toMatchObject({ unknown: ['on-call'], coverage: 0.3333, heartbeats: { total: 1, regressed: 1 } });
  });

  test('a recall without a named heartbeat belongs to none, but its misses count', () => {
    const { totals, figures } = of(answer({ heartbeat_source: 'generated', ...closed([], ['limits']) }));
    expect(totals).toMatchObject({ heartbeats: { total: 0 }, recalls: { total: 1, unattributed: 1, events: 1 } });
    expect(figures).toMatchObject({ heartbeats: 0, used: 0, missed: 1 });
  });

  test('a closing without a report or after the window is ignored', () => {
    const { totals, figures } = of(answer({ ...closed([]) }), answer({ ...closed(['wrap-up'], [], 10_000) }));
    expect(totals).toMatchObject({ recalls: { silent: 1, unclosed: 1, events: 0 }, miss_rate: null, coverage: null });
    expect(figures.heartbeats).toBe(0);
  });

  test('recalls of other callers are counted separately, and are in no figure of the comparison', () => {
    const { totals } = of(answer({ asked_by: 'acme/human/jane', ...closed([], ['limits']) }));
    expect(totals).toMatchObject({ by_others: 1, heartbeats: { total: 0 }, recalls: { total: 0 }, missed: 0 });
  });
});
