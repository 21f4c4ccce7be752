import { describe, expect, test } from 'vitest';
import { passes } from '../../compiler/quality/coverage/coverage.ts';
import { encoder, judge, officeWith, sibling, UNITS } from './garden.ts';

describe('§21.8.3: the gate separates', () => {
  test('every unit with triggers of its own passes, with a model and without', async () => {
    for (const model of [encoder, null]) {
      const { of, names } = await judge(UNITS, { model });
      expect(names.filter((name) => !passes(of(name)))).toEqual([]);
    }
  });

  test('a unit with a sibling’s triggers fails, and the sibling that has them too passes', async () => {
    for (const { name } of UNITS) {
      const { of } = await judge(officeWith({ [name]: { intents: sibling(name).intents } }));
      expect(passes(of(name))).toBe(false);
      expect(of(name).misses[0]?.outranked_by[0]).toBe(sibling(name).name);
      expect(passes(of(sibling(name).name))).toBe(true);
    }
  });

  test('where all triggers moved to a sibling, all units fail', async () => {
    const moved = Object.fromEntries(UNITS.map(({ name }) => [name, { intents: sibling(name).intents }]));
    const { of, names } = await judge(officeWith(moved));
    expect(names.filter((name) => passes(of(name)))).toEqual([]);
  });

  test.each([1, 2, 3, 4])('a unit with %i words of its content a trigger fails', async (count) => {
    for (const { name, content } of UNITS) {
      const words =
        content
          .toLowerCase()
          .match(/[a-z]{5,}/g)
          ?.slice(1) ?? [];
      const at = (i: number) => words[i % words.length] ?? '';
      const intents = [0, 1, 2].map((i) => Array.from({ length: count }, (_, j) => at(1 + 3 * i + j)).join(' '));
      const { of } = await judge(officeWith({ [name]: { intents } }));
      expect([name, of(name).coverage_pct]).toEqual([name, expect.closeTo(0, 0)]);
      expect(of(name).repeats_content.length).toBeGreaterThan(1);
    }
  });

  test('one trigger that repeats the content is left out, and harms nobody', async () => {
    const intents = [...UNITS[3]!.intents, 'copies are kept 35 days'];
    const { of } = await judge(officeWith({ backups: { intents } }));
    expect(of('backups')).toMatchObject({
      paraphrases: 15,
      coverage_pct: 1,
      repeats_content: ['copies are kept 35 days'],
    });
  });

  test('in a large garden, a trigger for which nothing but itself speaks is not found by other people’s words', async () => {
    const topics = 'paint roof lift boiler fence garage window carpet ladder gutter'.split(' ');
    const crowd = topics.flatMap((topic) =>
      ['repair', 'order', 'clean'].map((verb) => ({
        name: `${verb}-${topic}`,
        description: `How to ${verb} the ${topic}`,
        intents: [`${verb} the ${topic} this week`],
        content: `Ask the caretaker about the ${topic} in good time.\n`,
      })),
    );
    const poet = {
      name: 'poet',
      description: 'Verses',
      intents: ['the caretaker wants his ladder back'],
      content: 'Iambic.\n',
    };
    const { of } = await judge([...crowd, poet]);
    expect(of('poet').found).toBeLessThan(3);
    expect(of('poet').misses.every(({ outranked_by }) => outranked_by.length > 0)).toBe(true);
  });
});
