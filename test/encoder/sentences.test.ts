import { describe, expect, test } from 'vitest';
import { randomOf } from '../../compiler/encoder/gather/sentences.ts';
import { writeSentences } from '../../compiler/encoder/gather/sentences.ts';
import type { Text } from '../../compiler/encoder/gather/texts.ts';
import { ENDINGS, type TableVocabulary } from '../../compiler/encoder/gather/vocabulary.ts';
import type { Synset } from '../../compiler/encoder/gather/wordnet.ts';
import { isHeldOut } from '../../compiler/quality/paraphrase/held-out.ts';
import { frames } from './inputs.ts';

/** Words that stand in no frame, so that they show where a slot was. */
const NOUNS = ['lantern', 'kettle', 'orchard', 'oil lantern'];
const VERBS = ['whittle', 'knead'];
const OTHERS = [
  'oil',
  'mossy',
  ...Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => [`yonder${letter}`, `hither${letter}`]).flat(),
];
const FORMS = ['whittles', 'kettles'];

const vocabulary: TableVocabulary = {
  words: [...ENDINGS, 'lantern', 'whittle', 'kettle', 'knead', 'orchard', ...OTHERS],
  forms: FORMS,
};
const synset = (id: string, ...lemmas: string[]): Synset => ({
  ...{ id, lemmas, definition: '', examples: [], relations: [] },
});
const synsets = [
  synset('n1', ...NOUNS),
  synset('v1', ...VERBS, 'whittle unheard-of'),
  synset('a1', 'mossy'),
  synset('n2', 'unlisted', 'kettle lantern orchard', 'Kettle'),
];

const given = frames.filter((it) => !isHeldOut('frame', it));

const FILLERS = [...NOUNS, ...VERBS, ...OTHERS, ...FORMS].sort((a, b) => b.length - a.length);
const filled = new RegExp(`\\b(${FILLERS.join('|')})\\b`, 'g');
/** Rest of a sentence or a frame when nothing is in its slots. */
const bare = (text: string) => text.replace(filled, '_').replace(/\{\w+\}/g, '_');

describe('sentences for the teacher model', () => {
  const sentences: readonly Text[] = writeSentences(vocabulary, synsets, given);
  const texts = sentences.map(([, text]) => text);

  test('the sentences have the forms of all given frames, and no others', () => {
    const made = new Set(texts.map(bare));
    expect([...made].sort()).toEqual([...new Set(given.map(bare))].sort());
  });

  test('the sentences use every word at least three times and every inflected form at least once', () => {
    const uses = new Map<string, number>();
    for (const text of texts) {
      for (const word of text.split(/[^a-z]+/)) uses.set(word, (uses.get(word) ?? 0) + 1);
    }
    for (const word of vocabulary.words.slice(ENDINGS.length)) expect(uses.get(word)).toBeGreaterThanOrEqual(3);
    for (const form of FORMS) expect(uses.get(form)).toBeGreaterThanOrEqual(1);
  });

  test('noun slots get nouns, verb slots verbs, and word slots all other words and forms', () => {
    const alone = writeSentences(vocabulary, synsets, ['N {noun}', 'V {verb}', 'W {word}']).map(([, text]) => text);
    const inSlot = (slot: string) => [...new Set(alone.filter((it) => it.startsWith(slot)))].sort();
    expect(inSlot('N')).toEqual(NOUNS.map((it) => `N ${it}`).sort());
    expect(inSlot('V')).toEqual(VERBS.map((it) => `V ${it}`).sort());
    expect(inSlot('W')).toEqual(expect.arrayContaining([...OTHERS, ...FORMS].map((it) => `W ${it}`)));
  });
});

test('the same seed gives the same random numbers, which spread over 0 to 1', () => {
  const drawn = (seed: number) => Array.from({ length: 1000 }, randomOf(seed));
  expect(drawn(11)).toEqual(drawn(11));
  const [first = 0, second = 0] = drawn(11);
  expect([Math.floor(first * 1e6), Math.floor(second * 1e6)]).toEqual([511_587, 529_946]);
  expect(drawn(11)).not.toEqual(drawn(12));
  expect(drawn(11).every((it) => it >= 0 && it < 1)).toBe(true);
  expect(drawn(11).reduce((sum, it) => sum + it) / 1000).toBeCloseTo(0.5, 1);
});
