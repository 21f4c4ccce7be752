import { describe, expect, test } from 'vitest';
import { functionWordsOf } from '../../../compiler/gardens/language/function-words.ts';
import EVERYDAY from '../../../compiler/recall/everyday/prompts.json' with { type: 'json' };
import { ask, plant } from '../../recall/garden.ts';
import { CHINESE, GERMAN, JAPANESE, type SpokenHandbook } from './spoken-handbooks.ts';

type Questions = Pick<SpokenHandbook, 'questions' | 'offTopic'>;

/** Answers of a handbook: how often the wanted unit is first or among the first three; which answers are uncertain. */
async function answersOf({ language, units }: SpokenHandbook, asked: Questions, isDeclared: boolean) {
  const garden = await plant(units, null, isDeclared ? await functionWordsOf(language) : null, EVERYDAY);
  const answers = asked.questions.map(([intent, unit]) => ({ wanted: unit, ...ask(garden, intent) }));
  const right = answers.filter(({ names, wanted }) => names[0] === wanted);
  const isUncertain = ({ warnings }: { readonly warnings: readonly string[] }) => warnings.includes('low_confidence');
  return {
    of: answers.length,
    first: right.length,
    three: answers.filter(({ names, wanted }) => names.includes(wanted)).length,
    doubted: right.filter(isUncertain).length / right.length,
    offTopic: asked.offTopic.filter((intent) => isUncertain(ask(garden, intent))).length / asked.offTopic.length,
  };
}

describe('a handbook in a language that this compiler has no words of', () => {
  test.each([
    ['Chinese', CHINESE, { first: 15, three: 15, of: 16 }],
    ['Japanese', JAPANESE, { first: 12, three: 12, of: 14 }],
    ['German', GERMAN, { first: 10, three: 14, of: 16 }],
  ])('answers questions in %s, whatever it declares', async (_, handbook, { first, three, of }) => {
    const found = await answersOf(handbook, handbook, false);
    expect(found.of).toBe(of);
    expect(found.first).toBeGreaterThanOrEqual(first);
    expect(found.three).toBeGreaterThanOrEqual(three);
  });

  describe.each([
    ['Chinese', CHINESE, { first: 15, later: 10 }],
    ['Japanese', JAPANESE, { first: 12, later: 10 }],
    ['German', GERMAN, { first: 12, later: 10 }],
  ])('that declares %s', (_, handbook, least) => {
    test('answers questions', async () => {
      expect((await answersOf(handbook, handbook, true)).first).toBeGreaterThanOrEqual(least.first);
      expect((await answersOf(handbook, handbook.later, true)).first).toBeGreaterThanOrEqual(least.later);
    });

    test('doubts at most a tenth of its right answers, and at least four fifths of those to other questions', async () => {
      for (const asked of [handbook, handbook.later]) {
        const { doubted, offTopic } = await answersOf(handbook, asked, true);
        expect(doubted).toBeLessThanOrEqual(0.1);
        expect(offTopic).toBeGreaterThanOrEqual(0.8);
      }
    });
  });
});
