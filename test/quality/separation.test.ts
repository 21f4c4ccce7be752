import { describe, expect, test } from 'vitest';
import { passes } from '../../compiler/schema/bundle/coverage.ts';
import { ruleOf } from '../support/unit-coverage.ts';
import { encoder, judge, officeWith, sibling, UNITS } from './garden.ts';

describe('§21.8.3: the gate separates', () => {
  test('every unit with its own triggers passes the coverage gate, with and without a model', async () => {
    for (const model of [encoder, null]) {
      const { of, names } = await judge(UNITS, { model });
      expect(names.filter((name) => !passes(of(name)))).toEqual([]);
    }
  });

  test('a unit that has the triggers of a sibling fails the gate, and the sibling passes', async () => {
    for (const { name } of UNITS) {
      const { of } = await judge(officeWith({ [name]: { intents: sibling(name).intents } }));
      expect(passes(of(name))).toBe(false);
      const { blocks, examples } = ruleOf(of(name), 'coverage_misplaced');
      expect([blocks, examples[0]?.outranked_by]).toEqual([true, [sibling(name).name]]);
      expect(passes(of(sibling(name).name))).toBe(true);
    }
  });

  test('all units fail the gate if the triggers of each are given to a sibling', async () => {
    const moved = Object.fromEntries(UNITS.map(({ name }) => [name, { intents: sibling(name).intents }]));
    const { of, names } = await judge(officeWith(moved));
    expect(names.filter((name) => passes(of(name)))).toEqual([]);
  });

  test.each([1, 2, 3, 4])('a unit whose triggers each copy %i words of its content fails the gate', async (count) => {
    for (const { name, content } of UNITS) {
      const words =
        content
          .toLowerCase()
          .match(/[a-z]{5,}/g)
          ?.slice(1) ?? [];
      const at = (i: number) => words[i % words.length] ?? '';
      const intents = [0, 1, 2].map((i) => Array.from({ length: count }, (_, j) => at(1 + 3 * i + j)).join(' '));
      const { of } = await judge(officeWith({ [name]: { intents } }));
      expect([name, passes(of(name))]).toEqual([name, false]);
      const { blocks, triggers } = ruleOf(of(name), 'coverage_repetition');
      expect([blocks, triggers.length > 1]).toEqual([true, true]);
    }
  });

  test('in a large garden, a trigger that the unit’s text does not support is not found by paraphrases', async () => {
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
    expect(of('poet').counted.found).toBeLessThan(3);
    const blocking = of('poet').text_rules.filter(({ blocks }) => blocks);
    expect(blocking.length).toBeGreaterThan(0);
    const examples = blocking.flatMap((it) => it.examples);
    expect(examples.every(({ outranked_by }) => outranked_by.length > 0)).toBe(true);
  });
});
