import type { Text } from './texts.ts';
import { ENDINGS, type TableVocabulary } from './vocabulary.ts';
import type { Synset } from './wordnet.ts';

type Slot = 'noun' | 'verb' | 'word';

const SEED = 11;
/** Extra sentences of common words, besides those for each word of the vocabulary. */
const COMMON_SENTENCES = 170_000;
const SENTENCES_A_WORD = 3;

/** Strength of the preference for common words: a word is at the place `length × random ** PREFERENCE` of the list. */
const PREFERENCE = 2;
const COMMON = 9000;
const RARE = 16_000;

/**
 * Writes sentences for the teacher: frames filled with words, a few sentences for each word of the vocabulary.
 * They need no sense: the model learns what a word adds to a sentence.
 */
export function writeSentences(
  vocabulary: TableVocabulary,
  synsets: readonly Synset[],
  frames: readonly string[],
): Text[] {
  const random = randomOf(SEED);
  const pick = <T>(list: readonly T[], preference = 1): T =>
    list[Math.floor(list.length * random() ** preference)] as T;
  const kinds = kindsOf(synsets);
  const fillers = fillersOf(vocabulary, kinds);
  const fitting = (slot: Slot) => frames.filter((frame) => frame.includes(`{${slot}}`));
  const bySlot = { noun: fitting('noun'), verb: fitting('verb'), word: fitting('word') };
  const fill = (frame: string, slot?: Slot, word?: string) => {
    let own = word;
    return frame.replace(/\{(noun|verb|word)\}/g, (_, kind: Slot) => {
      if (kind !== slot || own === undefined) return pick(fillers[kind === 'verb' ? 'verb' : 'noun'], PREFERENCE);
      const filler = own;
      own = undefined;
      return filler;
    });
  };
  const about = (word: string): Text => {
    const slots = [...(kinds.get(word) ?? [])];
    const slot = slots.length > 0 && random() < 0.75 ? pick(slots) : 'word';
    return ['sentence', fill(pick(bySlot[slot]), slot, word)];
  };
  const plain = [...bySlot.noun, ...bySlot.verb].filter((frame) => !frame.includes('{word}'));
  return [
    ...vocabulary.words
      .slice(ENDINGS.length)
      .flatMap((word) => Array.from({ length: SENTENCES_A_WORD }, () => about(word))),
    ...vocabulary.forms.map(about),
    ...Array.from({ length: COMMON_SENTENCES }, (): Text => ['sentence', fill(pick(plain))]),
  ];
}

/** The slots that each lemma fits. */
function kindsOf(synsets: readonly Synset[]): Map<string, Set<Slot>> {
  const kinds = new Map<string, Set<Slot>>();
  for (const { id, lemmas } of synsets) {
    const slot = id.startsWith('n') ? 'noun' : 'verb';
    if (!/^[nv]/.test(id)) continue;
    for (const lemma of lemmas) {
      if (!/^[a-z ]+$/.test(lemma)) continue;
      kinds.set(lemma, (kinds.get(lemma) ?? new Set()).add(slot));
    }
  }
  return kinds;
}

/** Common nouns and verbs, and terms of two known words, the most common first. */
function fillersOf(
  { words }: TableVocabulary,
  kinds: ReadonlyMap<string, ReadonlySet<Slot>>,
): Record<'noun' | 'verb', string[]> {
  const places = new Map(words.map((word, i) => [word, i]));
  const placeOf = (lemma: string) => Math.max(...lemma.split(' ').map((word) => places.get(word) ?? Infinity));
  const known = [...kinds.keys()]
    .map((lemma) => ({ lemma, place: placeOf(lemma), terms: lemma.split(' ').length }))
    .filter(({ place, terms }) => (terms === 1 ? place < COMMON : terms === 2 && place < RARE))
    .sort((a, b) => a.place - b.place || (a.lemma < b.lemma ? -1 : 1));
  const of = (slot: Slot) => known.filter(({ lemma }) => kinds.get(lemma)?.has(slot)).map(({ lemma }) => lemma);
  return { noun: of('noun'), verb: of('verb') };
}

/** Random numbers in [0, 1), the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
