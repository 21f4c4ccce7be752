import { describe, expect, test } from 'vitest';
import { ask, plant } from '../garden.ts';
import { CHINESE } from './chinese.ts';
import { GERMAN } from './german.ts';
import type { SpokenHandbook } from './handbook.ts';
import { JAPANESE } from './japanese.ts';

/** The places of the wanted units among the first three; 0 where they are not. */
async function placesIn({ units, questions }: SpokenHandbook): Promise<number[]> {
  const garden = await plant(units);
  return questions.map(([intent, unit]) => {
    const { chunks } = ask(garden, intent);
    return chunks.findIndex(({ name }) => name === unit) + 1;
  });
}

describe('a handbook in a language that this compiler has no words of', () => {
  test.each([
    ['Chinese', CHINESE, { first: 15, three: 15, of: 16 }],
    ['Japanese', JAPANESE, { first: 12, three: 12, of: 14 }],
    ['German', GERMAN, { first: 10, three: 14, of: 16 }],
  ])('answers questions in %s', async (_, handbook, { first, three, of }) => {
    const places = await placesIn(handbook);
    expect(places.length).toBe(of);
    expect(places.filter((it) => it === 1).length).toBeGreaterThanOrEqual(first);
    expect(places.filter((it) => it > 0).length).toBeGreaterThanOrEqual(three);
  });
});
