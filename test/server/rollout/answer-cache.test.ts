import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutWithdrawn, type RecallGarden } from '../../../compiler/recall/recall-garden.ts';
import { recall } from '../../../compiler/recall/recall.ts';
import { RecallRequest } from '../../../compiler/schema/api/recall.ts';
import { createAnswerCache, toCachedAnswer, type AnswerCache } from '../../../server/rollout/answer-cache.ts';
import { NOW, plant } from '../../recall/garden.ts';

const AT = Date.parse(NOW);
const UNITS = [
  { name: 'limits', intents: ['what am I not allowed to do'], guaranteed: true },
  { name: 'release', intents: ['decide whether to ship a release'], files: ['b'], validUntil: '2026-05-04T12:00:10Z' },
  {
    name: 'hand-over',
    intents: ['hand over to somebody else'],
    content: 'Tell “them” "now",\u2028\tüñ 🙂\\.\n'.repeat(20),
  },
  { name: 'expense', intents: ['approve an expense'], validUntil: '2026-05-04T12:00:20Z', files: ['a', 'x/**'] },
];

const computed = (garden: RecallGarden, request: RecallRequest, at: number) =>
  recall(garden, request, { now: new Date(at).toISOString(), query: null, explain: false });

/** The answer at an instant, from the cache if possible. */
function answered(cache: AnswerCache, garden: RecallGarden, request: RecallRequest, at: number) {
  const key = cache.keyOf(garden, request);
  const found = cache.find(key, at);
  const { json, response } = found ?? cache.keep(key, garden, at, computed(garden, request, at));
  return { isCached: found !== null, json, response };
}

/** Asks often enough for the answer to be kept. */
function askedTwice(...asked: Parameters<typeof answered>) {
  answered(...asked);
  return answered(...asked);
}

const request = fc
  .record({
    intent: fc.constantFrom(
      'ship a release',
      'hand over',
      'approve an expense',
      'ship  a release',
      '3 2000 \nhand over',
    ),
    max_chunks: fc.constantFrom(1, 2, 3),
    token_budget: fc.constantFrom(20, 200, 2000),
    candidates: fc.constantFrom(0, 1, 3),
    candidates_budget: fc.constantFrom(1, 60, 350),
    files: fc.constantFrom([], ['a'], ['a', 'b'], ['a,b'], ['limits']),
    follows: fc.constantFrom(null, 'audi_1', 'audi_2'),
    manifest_hint: fc.array(
      fc.constantFrom('limits', 'hand-over', 'nothing', 'limits hand-over', 'limits\nhand over', '","'),
      {
        maxLength: 2,
      },
    ),
  })
  .map((it) => RecallRequest.parse(it));

describe('§21.3.4 the answer cache', () => {
  test('a cached answer equals the computed one at any time, even if the clock steps back', async () => {
    const garden = await plant(UNITS);
    fc.assert(
      fc.property(fc.array(fc.tuple(request, fc.integer({ min: -5, max: 30 })), { maxLength: 30 }), (asked) => {
        const cache = createAnswerCache();
        for (const [it, seconds] of asked) {
          const at = AT + seconds * 1000;
          const fresh = toCachedAnswer(computed(garden, it, at));
          const { json, response } = answered(cache, garden, it, at);
          expect([response, json]).toEqual([fresh.response, fresh.json]);
          expect(`${json}}`).toBe(JSON.stringify(response));
        }
      }),
    );
  });

  test('an answer is kept once its request has come twice: most intents never come again', async () => {
    const [cache, garden] = [createAnswerCache(), await plant(UNITS)];
    const ask = () => answered(cache, garden, RecallRequest.parse({ intent: 'hand over' }), AT).isCached;
    expect([ask(), ask(), ask(), ask()]).toEqual([false, false, true, true]);
  });

  test('what a recall follows does not change its answer, so an answer is cached whatever it follows', async () => {
    const [cache, garden] = [createAnswerCache(), await plant(UNITS)];
    const intent = 'hand over a release, approve an expense';
    const ask = (more: object) => {
      const { isCached, response } = answered(
        cache,
        garden,
        RecallRequest.parse({ intent, max_chunks: 1, ...more }),
        AT,
      );
      return [isCached, response.candidates?.length];
    };
    expect([ask({}), ask({ follows: 'audi_1' }), ask({ follows: 'audi_2' })].map(([it]) => it)).toEqual([
      ...[false, false, true],
    ]);
    expect([ask({ candidates: 2 }), ask({ candidates: 1 }), ask({ candidates: 2, candidates_budget: 1 })]).toEqual([
      [false, 2],
      [false, 1],
      [false, 0],
    ]);
  });

  test('an answer is cached until a unit of the garden expires', async () => {
    const [cache, garden] = [createAnswerCache(), await plant(UNITS)];
    const it = RecallRequest.parse({ intent: 'ship a release' });
    const names = (at: number) => {
      const { isCached, response } = answered(cache, garden, it, at);
      return [isCached, response.chunks.some(({ name }) => name === 'release')];
    };
    expect([names(AT), names(AT)]).toEqual([
      [false, true],
      [false, true],
    ]);
    expect(names(AT + 9999)).toEqual([true, true]);
    expect(names(AT + 10_000)).toEqual([false, false]);
    expect(names(AT + 10_001)).toEqual([true, false]);
  });

  test('a withdrawal invalidates cached answers', async () => {
    const [cache, garden] = [createAnswerCache(), await plant(UNITS)];
    const it = RecallRequest.parse({ intent: 'hand over' });
    askedTwice(cache, garden, it, AT);
    const without = withoutWithdrawn(garden, ({ name }) => name === 'hand-over');
    const { isCached, response } = answered(cache, without, it, AT);
    expect([isCached, response.chunks.map(({ name }) => name)]).toEqual([false, ['limits']]);
  });

  test('a cached answer is not used for another garden', async () => {
    const cache = createAnswerCache();
    const [one, other] = [await plant(UNITS), await plant(UNITS.slice(2))];
    const it = RecallRequest.parse({ intent: 'ship a release' });
    askedTwice(cache, one, it, AT);
    expect(answered(cache, other, it, AT).isCached).toBe(false);
  });

  test('the oldest answers are dropped from a full cache, and a very long answer is not cached', async () => {
    const [cache, garden] = [createAnswerCache(), await plant(UNITS)];
    const ask = (intent: string) => answered(cache, garden, RecallRequest.parse({ intent }), AT).isCached;
    const twice = (intent: string) => [ask(intent), ask(intent)];
    twice('hand over');
    expect(ask('hand over')).toBe(true);
    for (let i = 0; i < 1000; i++) twice(`${i} ${'x'.repeat(6000)}`);
    expect(ask('hand over')).toBe(false);
    expect(ask(`999 ${'x'.repeat(6000)}`)).toBe(true);
    const long = await plant([{ name: 'long', intents: ['read it all'], content: 'word '.repeat(4000), tokens: 100 }]);
    const readAll = () => answered(cache, long, RecallRequest.parse({ intent: 'read it all' }), AT).isCached;
    expect([readAll(), readAll(), readAll()]).toEqual([false, false, false]);
  });

  test('an answer in use stays, however many requests come once', async () => {
    const [cache, garden] = [createAnswerCache(), await plant(UNITS)];
    const ask = (intent: string) => answered(cache, garden, RecallRequest.parse({ intent }), AT).isCached;
    ask('hand over');
    ask('hand over');
    for (let i = 0; i < 2000; i++) {
      ask(`${i} ${'x'.repeat(6000)}`);
      if (i % 100 === 0) expect(ask('hand over')).toBe(true);
    }
  });
});
