import { describe, expect, test } from 'vitest';
import { stemsOf } from '../../../compiler/quality/paraphrase/stems.ts';
import { paraphraseAll } from '../../../compiler/quality/unit-coverage/questions.ts';
import type { RecallGarden } from '../../../compiler/recall/recall-garden.ts';
import type { Lexicon } from '../../../compiler/schema/source/lexicon.ts';

/** Without synonyms: paraphrases differ by their frames alone. */
const lexicon: Lexicon = {
  format: 1,
  synsets: {},
  groups: { noun: {}, verb: {}, adjective: {}, adverb: {} },
  frames: [],
  swaps: [],
};
const TRIGGER = 'onboard the engineer';
const unit = { name: 'hiring', intents: [TRIGGER], description: 'Welcome a newcomer' };

/** The questions to units of a garden that has these triggers. */
function questions(
  units = [unit],
  triggers: { intents?: readonly string[]; keywords?: readonly string[] } = {},
  lexical: { functionWords?: ReadonlySet<string> } = {},
) {
  const load_triggers = { intents: [], keywords: [], ...triggers };
  const garden = { facts: [{ delivery: { load_triggers } }], index: { lexical } } as unknown as RecallGarden;
  return paraphraseAll(garden, units, lexicon);
}

describe('§21.8.3: what a unit is asked by', () => {
  test('S8: a unit is judged by its triggers alone, and nothing is asked of one that has none', () => {
    expect(
      new Set(questions([unit, { ...unit, name: 'leave', intents: [] }]).map(({ unit: { name } }) => name)),
    ).toEqual(new Set(['hiring']));
  });

  test('each question has its unit, the text that it comes from, and its kind', () => {
    const other = { name: 'leave', intents: ['ask for holidays'], description: 'Holidays' };
    const found = questions([unit, other]);
    expect(found.map(({ unit: { name }, intent }) => [name, intent])).toEqual([
      ...Array.from({ length: 5 }, () => ['hiring', TRIGGER]),
      ...Array.from({ length: 5 }, () => ['leave', 'ask for holidays']),
    ]);
    expect(new Set(found.map(({ paraphrase }) => stemsOf(paraphrase))).size).toBe(10);
    for (const { kind, paraphrase } of found) expect([kind, typeof paraphrase]).toEqual(['sound', 'string']);
  });

  test('a trigger of unknown words is asked, but of a handbook that declares another language they are its words', () => {
    const intents = ['verlof aanvragen', 'deploy the service'];
    const asked = (lexical: object) =>
      new Set(questions([{ ...unit, intents }], {}, lexical).map(({ intent }) => intent));
    expect([...asked({})]).toEqual(intents);
    expect([...asked({ functionWords: new Set() })]).toEqual(['deploy the service']);
  });

  test.each(['intents', 'keywords'] as const)('no question says the same as one of the %s of the garden', (kind) => {
    const [first, second] = questions().map(({ paraphrase }) => paraphrase) as [string, string];
    const asked = questions([unit], { [kind]: ['something else', `the ${first}`] }).map(({ paraphrase }) => paraphrase);
    expect(asked).not.toContain(first);
    expect(asked).toContain(second);
    expect(asked).toHaveLength(5);
  });
});
