import { describe, expect, test } from 'vitest';
import { findabilityOf, type LeftOutAnswer } from '../../../compiler/quality/unit-coverage/findability.ts';
import { judge, officeWith, sibling, UNITS } from '../garden.ts';

const MILLION = 1_000_000;
/** An answer with scores of 1; the texts lead as much as the rest unless said otherwise. */
function answer(own: number, rivals: readonly number[], texts = { own, others: rivals }): LeftOutAnswer {
  const scale = (all: readonly number[]) => all.map((it) => it * MILLION);
  return {
    own: own * MILLION,
    rivals: scale(rivals).map((score, at) => ({ name: `rival-${at}`, score })),
    texts: { own: texts.own * MILLION, others: scale(texts.others) },
  };
}

describe('how surely a unit is found without its triggers', () => {
  test('a unit as good as the third best other is found half the time, and one far before it always', () => {
    expect(findabilityOf([answer(0.3, [0.9, 0.5, 0.3])])?.score).toBe(0.5);
    expect(findabilityOf([answer(0.9, [0.9, 0.5, 0.3])])?.score).toBeCloseTo(1, 4);
    expect(findabilityOf([answer(0.25, [0.9, 0.5, 0.3])])?.score).toBeCloseTo(0.2689, 4);
  });

  test('half of it is the lead of the text alone', () => {
    const rivals = [0.9, 0.5, 0.3];
    expect(findabilityOf([answer(0.9, rivals, { own: 0, others: rivals })])?.score).toBeCloseTo(0.5, 2);
  });

  test('among fewer than three others a unit needs only a score', () => {
    expect(findabilityOf([answer(0.001, [0.9, 0.8])])?.score).toBe(1);
    expect(findabilityOf([answer(0, [0.9, 0.8])])?.score).toBe(0.5);
  });

  test('a unit without a question has no findability', () => {
    expect(findabilityOf([])).toBeNull();
  });

  test('the nearest rivals come first, with how often they are before the unit', () => {
    const rivals = (...scores: number[]) => scores.map((score, at) => ({ name: 'abcd'[at] ?? '', score }));
    const at = (own: number, ...scores: number[]): LeftOutAnswer => {
      return { own, rivals: rivals(...scores), texts: { own: 0, others: [] } };
    };
    const found = findabilityOf([at(300_000, 100_000, 310_000, 290_000), at(300_000, 120_000, 299_999, 301_000)]);
    expect(found?.rivals).toEqual([
      { name: 'b', ahead: 1 },
      { name: 'c', ahead: 1 },
      { name: 'a', ahead: 0 },
    ]);
  });
});

describe('the findability that a compile measures', () => {
  test('units whose text and triggers agree are found surely, with and without a model', async () => {
    for (const over of [{}, { model: null }]) {
      const { of } = await judge(UNITS, over);
      expect(of('incident').findability?.score).toBeGreaterThan(0.6);
    }
  });

  test('a unit with the triggers of a sibling is hard to find, and the sibling is its rival', async () => {
    const { of } = await judge(officeWith({ leave: { intents: sibling('leave').intents } }));
    const { findability } = of('leave');
    expect(findability?.score).toBeLessThan(0.6);
    expect(findability?.rivals[0]?.name).toBe(sibling('leave').name);
  });

  test('a near copy of a trigger, added as a trigger, does not raise it', async () => {
    const own = ['zebra crossing tonight'];
    const score = async (...intents: string[]) =>
      (await judge(officeWith({ leave: { intents } }))).of('leave').findability?.score ?? NaN;
    const [alone, copied] = [await score(...own), await score(...own, 'tonight a zebra crossing')];
    expect(copied).toBeLessThan(alone + 0.05);
  });

  test('a unit whose triggers are all near copies is judged by its text alone', async () => {
    const near = ['book a flight to a conference', 'book the flight to a conference', 'a conference, book a flight'];
    const copied = (await judge(officeWith({ travel: { intents: near } }))).of('travel').findability;
    const vague = { description: 'Odds and ends', content: 'Ask.\n' };
    const textless = (await judge(officeWith({ travel: { ...vague, intents: near } }))).of('travel').findability;
    expect(copied?.score).toBeGreaterThan(0.6);
    expect(textless?.score).toBeLessThan(0.6);
  });

  test('a trigger that is not evaluated is in no findability', async () => {
    const { of } = await judge(officeWith({ travel: { intents: ['find a hotel', 'wie finde ich ein Hotel'] } }));
    expect(of('travel').findability?.paraphrases).toBe(5);
  });
});
