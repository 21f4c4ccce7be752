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
  { name: 'release', intents: ['decide whether to ship a release'], validUntil: '2026-05-04T12:00:10Z' },
  { name: 'hand-over', intents: ['hand over to somebody else'], content: 'Tell them.\n'.repeat(40) },
  { name: 'expense', intents: ['approve an expense'], validUntil: '2026-05-04T12:00:20Z' },
];

const worked = (garden: RecallGarden, request: RecallRequest, at: number) =>
  recall(garden, request, { now: new Date(at).toISOString(), query: null, explain: false });

/** What is answered at an instant, by memory where there is one. */
function answered(memory: AnswerCache, garden: RecallGarden, request: RecallRequest, at: number) {
  const found = memory.find(garden, request, at);
  const { json, response } = found ?? memory.keep(garden, request, at, worked(garden, request, at));
  return { recalled: found !== null, json, response };
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
    manifest_hint: fc.array(
      fc.constantFrom('limits', 'hand-over', 'nothing', 'limits hand-over', 'limits\nhand over', '","'),
      {
        maxLength: 2,
      },
    ),
  })
  .map((it) => RecallRequest.parse(it));

describe('§21.3.4 an answer that is recollected', () => {
  test('is the answer that would be worked out, whenever it is asked for, even by a clock that steps back', async () => {
    const garden = await plant(UNITS);
    fc.assert(
      fc.property(fc.array(fc.tuple(request, fc.integer({ min: -5, max: 30 })), { maxLength: 30 }), (asked) => {
        const memory = createAnswerCache();
        for (const [it, seconds] of asked) {
          const at = AT + seconds * 1000;
          const fresh = toCachedAnswer(worked(garden, it, at));
          const { json, response } = answered(memory, garden, it, at);
          expect([response, json]).toEqual([fresh.response, fresh.json]);
          expect(JSON.parse(`${json.toString()}}`)).toEqual(response);
        }
      }),
    );
  });

  test('keeps no more memory than its bytes: none of a block that others are cut from', async () => {
    const garden = await plant(UNITS);
    const { json } = toCachedAnswer(worked(garden, RecallRequest.parse({ intent: 'hand over' }), AT));
    expect(json.buffer.byteLength).toBe(json.length);
  });

  test('is recollected while the units are in force, and not at the end of one', async () => {
    const [memory, garden] = [createAnswerCache(), await plant(UNITS)];
    const it = RecallRequest.parse({ intent: 'ship a release' });
    const names = (at: number) => {
      const { recalled, response } = answered(memory, garden, it, at);
      return [recalled, response.chunks.some(({ name }) => name === 'release')];
    };
    expect(names(AT)).toEqual([false, true]);
    expect(names(AT + 9999)).toEqual([true, true]);
    expect(names(AT + 10_000)).toEqual([false, false]);
    expect(names(AT + 10_001)).toEqual([true, false]);
  });

  test('does not outlive a withdrawal', async () => {
    const [memory, garden] = [createAnswerCache(), await plant(UNITS)];
    const it = RecallRequest.parse({ intent: 'hand over' });
    answered(memory, garden, it, AT);
    const without = withoutWithdrawn(garden, ({ name }) => name === 'hand-over');
    const { recalled, response } = answered(memory, without, it, AT);
    expect([recalled, response.chunks.map(({ name }) => name)]).toEqual([false, ['limits']]);
  });

  test('is of one garden alone', async () => {
    const memory = createAnswerCache();
    const [one, other] = [await plant(UNITS), await plant(UNITS.slice(2))];
    const it = RecallRequest.parse({ intent: 'ship a release' });
    answered(memory, one, it, AT);
    expect(answered(memory, other, it, AT).recalled).toBe(false);
  });

  test('is forgotten once too much was asked since; a very long one is not kept at all', async () => {
    const [memory, garden] = [createAnswerCache(), await plant(UNITS)];
    const ask = (intent: string) => answered(memory, garden, RecallRequest.parse({ intent }), AT).recalled;
    ask('hand over');
    for (let i = 0; i < 1000; i++) ask(`${i} ${'x'.repeat(6000)}`);
    expect(ask('hand over')).toBe(false);
    expect(ask(`999 ${'x'.repeat(6000)}`)).toBe(true);
    const long = await plant([{ name: 'long', intents: ['read it all'], content: 'word '.repeat(4000), tokens: 100 }]);
    const readAll = () => answered(memory, long, RecallRequest.parse({ intent: 'read it all' }), AT).recalled;
    expect([readAll(), readAll()]).toEqual([false, false]);
  });
});
