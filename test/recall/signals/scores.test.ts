import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { garden, phrase, question } from '../arbitraries.ts';
import { ask, NOW, plant } from '../garden.ts';

describe('DESIGN §6.7 a score', () => {
  test('lies between 0 and 1, in whole millionths, as do its signals', async () => {
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

  test('is that of the intent alone: neither max_chunks, nor budget, nor hints change it', async () => {
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

  test('falls along the ranking, and equals stand by name', async () => {
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

  test('is greater than nothing exactly where something matched', async () => {
    const planted = await plant([
      { name: 'leave', description: 'hand over' },
      { name: 'plan', description: 'write a roadmap' },
    ]);
    expect(ask(planted, 'hand over the work').ranking).toEqual(['leave']);
    expect(ask(planted, 'hand over the work').outcome('plan')).toBe('no_match');
  });

  test('that nobody has is low_confidence, and no error', async () => {
    const { names, warnings, truncated } = ask(await plant([{ name: 'leave' }]), 'zebra');
    expect([names, warnings, truncated]).toEqual([[], ['low_confidence'], false]);
  });

  test('knows words by their stem, in any case, with and without accents, in any script', async () => {
    const planted = await plant([
      { name: 'a', intents: ['reviewing pull requests'] },
      { name: 'b', intents: ['Größe des Cafés'] },
      { name: 'c', intents: ['下班 交接'] },
    ]);
    expect(ask(planted, 'REVIEW the PULL REQUEST').ranking).toEqual(['a']);
    expect(ask(planted, 'Grösse: cafes?').ranking).toEqual(['b']);
    expect(ask(planted, '交接').ranking).toEqual(['c']);
  });

  test('weighs a trigger above a description, and that above the text', async () => {
    const words = { content: 'nothing of it' };
    const planted = await plant([
      { name: 'c-text', content: 'rollback' },
      { name: 'b-description', description: 'rollback', ...words },
      { name: 'a-trigger', intents: ['rollback'], ...words },
    ]);
    expect(ask(planted, 'rollback').ranking).toEqual(['a-trigger', 'b-description', 'c-text']);
  });
});

describe('DESIGN §6.7 the graph', () => {
  const chain = (...names: string[]) =>
    names.map((name, i) => ({
      name,
      content: i === 0 ? 'incident' : 'other',
      links: names[i + 1] === undefined ? [] : [names[i + 1]!],
    }));

  test('halves per hop, over two hops, and no further', async () => {
    const { unit } = ask(await plant(chain('a', 'b', 'c', 'd')), 'incident');
    const matched = unit('a')!.lexical;
    expect(matched).toBeGreaterThan(0);
    expect(unit('a')?.graph).toBe(0);
    expect(unit('b')?.graph).toBeCloseTo(matched / 2, 5);
    expect(unit('c')?.graph).toBeCloseTo(matched / 4, 5);
    expect(unit('d')?.graph).toBe(0);
    expect(unit('d')?.outcome).toBe('no_match');
  });

  test('goes along a link both ways', async () => {
    const backwards = chain('a', 'b', 'c')
      .reverse()
      .map((it) => ({ ...it, content: it.name === 'c' ? 'incident' : 'other' }));
    const { unit } = ask(await plant(backwards), 'incident');
    expect(unit('b')?.graph).toBeGreaterThan(unit('a')!.graph);
  });

  test('takes the best neighbour, and none of what is not linked', async () => {
    const { unit } = ask(
      await plant([
        { name: 'a', content: 'incident' },
        { name: 'b', content: 'incident customer', links: ['c'] },
        { name: 'c', content: 'other' },
        { name: 'd', content: 'other' },
      ]),
      'customer incident',
    );
    expect(unit('c')?.graph).toBeCloseTo(unit('b')!.lexical / 2, 5);
    expect(unit('d')?.score).toBe(0);
  });

  test('makes a neighbour a candidate that shares no word with the intent', async () => {
    expect(ask(await plant(chain('a', 'b', 'c', 'd')), 'incident').names).toEqual(['a', 'b', 'c']);
  });
});

describe('§21.3.3 weights', () => {
  test('are 0.35, 0.50 and 0.15, renormalised over the signals there are', async () => {
    const { explain } = ask(await plant([{ name: 'a' }]), 'a');
    expect(explain?.weights).toEqual({ lexical: 0.7, graph: 0.3 });
    expect(explain?.now).toBe(NOW);
  });
});
