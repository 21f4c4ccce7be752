import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { garden, phrase, question } from '../arbitraries.ts';
import { ask, plant } from '../garden.ts';

describe('DESIGN §6.7 scores', () => {
  test('a score and its signals lie between 0 and 1, in whole millionths', async () => {
    await fc.assert(
      fc.asyncProperty(garden, phrase, async (units, intent) => {
        for (const { score, lexical, graph } of ask(await plant(units), intent).units) {
          for (const value of [score, lexical, graph]) {
            expect(value).toBeGreaterThanOrEqual(0);
            expect(value).toBeLessThanOrEqual(1);
            expect(Math.round(value * 1e6)).toBeCloseTo(value * 1e6, 6);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  test('the score of a unit depends on the intent alone, not on max_chunks, budget or hints', async () => {
    await fc.assert(
      fc.asyncProperty(question, async ({ units, intent, limits }) => {
        const planted = await plant(units);
        const scores = (answer: ReturnType<typeof ask>) =>
          answer.units.map(({ name, score, rank }) => [name, score, rank]);
        expect(scores(ask(planted, intent, limits))).toEqual(scores(ask(planted, intent)));
        for (const { name, score } of ask(planted, intent, limits).chunks) {
          expect(score).toBe(ask(planted, intent).unit(name)?.score);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('the ranking is by descending score, and by name for equal scores', async () => {
    await fc.assert(
      fc.asyncProperty(garden, phrase, async (units, intent) => {
        const { ranking, unit } = ask(await plant(units), intent);
        ranking.slice(1).forEach((name, i) => {
          const [before, after] = [unit(ranking[i]!)!, unit(name)!];
          expect(before.score).toBeGreaterThanOrEqual(after.score);
          if (before.score === after.score) expect(before.name < after.name).toBe(true);
        });
      }),
      { numRuns: 200 },
    );
  });

  test('a unit is ranked if it matches a word of the intent, and is no_match otherwise', async () => {
    const planted = await plant([
      { name: 'leave', description: 'hand over' },
      { name: 'plan', description: 'write a roadmap' },
    ]);
    expect(ask(planted, 'hand over the work').ranking).toEqual(['leave']);
    expect(ask(planted, 'hand over the work').outcome('plan')).toBe('no_match');
  });

  test('an intent that matches no unit gives low_confidence and no chunks', async () => {
    const { names, warnings, truncated } = ask(await plant([{ name: 'leave' }]), 'zebra');
    expect([names, warnings, truncated]).toEqual([[], ['low_confidence'], false]);
  });

  test('words match by their stem, in any case, with or without accents, in any script', async () => {
    const planted = await plant([
      { name: 'a', intents: ['reviewing pull requests'] },
      { name: 'b', intents: ['Größe des Cafés'] },
      { name: 'c', intents: ['下班 交接'] },
    ]);
    expect(ask(planted, 'REVIEW the PULL REQUEST').ranking).toEqual(['a']);
    expect(ask(planted, 'Grösse: cafes?').ranking).toEqual(['b']);
    expect(ask(planted, '交接').ranking).toEqual(['c']);
  });

  test('a word counts more in a trigger than in a description, and more there than in the text', async () => {
    const words = { content: 'nothing of it' };
    const planted = await plant([
      { name: 'c-text', content: 'rollback' },
      { name: 'b-description', description: 'rollback', ...words },
      { name: 'a-trigger', intents: ['rollback'], ...words },
    ]);
    expect(ask(planted, 'rollback').ranking).toEqual(['a-trigger', 'b-description', 'c-text']);
  });
});

describe('DESIGN §6.7 the graph signal', () => {
  const chain = (...names: string[]) =>
    names.map((name, i) => ({
      name,
      content: i === 0 ? 'incident' : 'other',
      links: names[i + 1] === undefined ? [] : [names[i + 1]!],
    }));

  test('the graph signal halves with each hop, and ends after two hops', async () => {
    const { unit } = ask(await plant(chain('a', 'b', 'c', 'd')), 'incident');
    const matched = unit('a')!.lexical;
    expect(matched).toBeGreaterThan(0);
    expect(unit('a')?.graph).toBe(0);
    expect(unit('b')?.graph).toBeCloseTo(matched / 2, 5);
    expect(unit('c')?.graph).toBeCloseTo(matched / 4, 5);
    expect(unit('d')?.graph).toBe(0);
    expect(unit('d')?.outcome).toBe('no_match');
  });

  test('a linked unit is recalled even if it shares no word with the intent', async () => {
    expect(ask(await plant(chain('a', 'b', 'c', 'd')), 'incident').names).toEqual(['a', 'b', 'c']);
  });
});
