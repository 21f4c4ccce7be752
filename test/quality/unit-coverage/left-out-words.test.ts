import { describe, expect, test } from 'vitest';
import { createTriggerlessLexical } from '../../../compiler/quality/unit-coverage/left-out-words.ts';
import { scoreLexical } from '../../../compiler/recall/signals/lexical.ts';
import { plant, type Planted } from '../../recall/garden.ts';

/** The garden of these units, whose facts have the triggers too. */
async function gardenOf(units: readonly Planted[]) {
  const garden = await plant(units);
  const facts = garden.facts.map((fact) => {
    const { intents = [], keywords = [] } = units.find(({ name }) => name === fact.name) ?? {};
    const load_triggers = { ...fact.delivery.load_triggers, intents: [...intents], keywords: [...keywords] };
    return { ...fact, delivery: { ...fact.delivery, load_triggers } };
  });
  return { ...garden, facts };
}
type Garden = Awaited<ReturnType<typeof gardenOf>>;

/** A unit's score for a text without some of its triggers. */
const leftOut = (garden: Garden, name: string, without: readonly string[], text: string) =>
  createTriggerlessLexical(garden)({ name, intents: [], description: '' }, without, text);

/** A unit's score for a text in the index as it is. */
function inIndex({ index }: Garden, name: string, text: string): number {
  return scoreLexical(index.lexical, index.terms, text, index.names.length)[index.named.get(name)!]!;
}

const WORDS = 'alpha bravo charlie delta echo foxtrot golf hotel india'.split(' ');
/** Nine units, each with the words from its own place on: every word is in another number of units. */
const LADDER: Planted[] = WORDS.map((name, at) => ({
  name,
  description: `office ${WORDS.slice(at).join(' ')}`,
  intents: [`somebody asks for ${name}`, 'log in at the office'],
  keywords: [`${name} office`],
}));

describe('a unit’s words without some of its triggers', () => {
  test('are exactly those of the index where nothing is left out', async () => {
    const garden = await gardenOf(LADDER);
    const unknown = WORDS.map((word) => `${word} unheard`);
    for (const text of [...WORDS, ...unknown, 'office', 'office unheard', 'log in', 'log at the office today']) {
      const scores = (of: (name: string) => number) => WORDS.map(of);
      expect(scores((name) => leftOut(garden, name, [], text))).toEqual(scores((name) => inIndex(garden, name, text)));
    }
  });

  test('say nothing to a text without words, to an unknown word, and of a unit that is not indexed', async () => {
    const garden = await gardenOf(LADDER);
    for (const text of ['', 'the', 'unheard']) expect(leftOut(garden, 'alpha', [], text)).toBe(0);
    expect(leftOut(garden, 'unheard', [], 'office')).toBe(0);
  });

  test('do not include those of the unit that comes next', async () => {
    const garden = await gardenOf(
      ['kilo', 'kilt', 'kind'].map((word, at) => ({ name: 'abc'[at]!, description: word })),
    );
    for (const name of ['b', 'c']) expect(leftOut(garden, name, [], 'kilo')).toBe(0);
    expect(leftOut(garden, 'c', [], 'kilt')).toBe(0);
    expect(leftOut(garden, 'a', [], 'kilt')).toBe(0);
  });

  test('are as few in a garden of one unit', async () => {
    const garden = await gardenOf([{ name: 'a', description: 'office', intents: ['zebra', 'zulu'] }]);
    expect(leftOut(garden, 'a', ['zebra'], 'zebra')).toBeLessThanOrEqual(2);
    expect(leftOut(garden, 'a', ['zebra'], 'zulu')).toBeGreaterThan(0);
  });

  // Where the trigger moves to another unit, that has its words anyway, all other figures of the index stay the same.
  const trigger = 'restore a lost database tonight';
  const both = { description: `Restore: a lost database, a lost, lost database tonight, restore a lost` };
  const others = [
    { name: 'c', description: 'Travel', intents: ['book a train', 'find a hotel near the office'] },
    { name: 'd', description: 'Leave' },
  ];
  const gardenWith = (a: Partial<Planted>, b: Partial<Planted>, rest: readonly Planted[] = others) =>
    gardenOf([{ name: 'a', ...both, ...a }, { name: 'b', ...both, ...b }, ...rest]);
  const QUESTIONS = ['restore', 'a lost database', 'lost', 'disk', 'the disk is gone', 'restore a disk'];

  test('are those of an index in which another unit has the trigger', async () => {
    const own = ['the disk is gone'];
    const keywords = ['disk'];
    const with_ = await gardenWith({ intents: [trigger, ...own], keywords }, { intents: ['welcome'] });
    const moved = await gardenWith({ intents: own, keywords }, { intents: ['welcome', trigger] });
    for (const text of QUESTIONS) {
      const [found, expected] = [leftOut(with_, 'a', [trigger], text), inIndex(moved, 'a', text)];
      expect(Math.abs(found - expected)).toBeLessThanOrEqual(2);
      expect(expected).toBeGreaterThan(0);
      expect(leftOut(with_, 'a', [], text)).not.toBe(found);
    }
  });

  test('are those where the garden has hardly any trigger but that one', async () => {
    const more = WORDS.map((name) => ({ name, description: name }));
    const with_ = await gardenWith({ intents: ['restore'] }, {}, more);
    const moved = await gardenWith({}, { intents: ['restore'] }, more);
    const [found, expected] = [leftOut(with_, 'a', ['restore'], 'restore'), inIndex(moved, 'a', 'restore')];
    expect(Math.abs(found - expected)).toBeLessThanOrEqual(2);
    expect(found).toBeLessThan(inIndex(with_, 'a', 'restore'));
  });

  test('lack those that only the trigger has', async () => {
    const garden = await gardenWith({ intents: ['zebra crossing', 'zulu'] }, {});
    // impacts are rounded, so that a millionth may stay
    expect(leftOut(garden, 'a', ['zebra crossing'], 'zebra crossing')).toBeLessThanOrEqual(2);
    expect(leftOut(garden, 'a', ['zulu'], 'zebra crossing')).toBeGreaterThan(0);
  });
});
