import { z } from 'zod';
import { isHeldOut } from '../../quality/paraphrase/held-out.ts';
import { PARTS, type Part, type Swap } from '../../schema/source/lexicon.ts';
import type { Group } from './groups.ts';
import type { Synset } from './wordnet.ts';

const Words = z.array(z.string());
const Line = z.strictObject({
  noun: z.string().optional(),
  verb: z.string().optional(),
  adjective: z.string().optional(),
  adverb: z.string().optional(),
  say: Words,
  near: Words.default([]),
  not: Words.default([]),
});

/** Replacements of one word as `domain/swaps.yaml` lists them: the key of the word is its part of speech. */
export const Candidates = z.array(
  Line.transform(({ say, near, not, ...word }): Candidate => {
    const part = PARTS.find((it) => word[it] !== undefined) ?? 'noun';
    return { part, word: word[part] ?? '', say, near, not };
  }),
);

interface Candidate {
  readonly part: Part;
  readonly word: string;
  readonly say: readonly string[];
  readonly near: readonly string[];
  readonly not: readonly string[];
}

/** A synset or group that is held out, with its words. */
interface Evidence {
  readonly id: string;
  readonly part: Part | null;
  readonly words: ReadonlySet<string>;
}

const LETTERS: Readonly<Record<string, Part>> = { n: 'noun', v: 'verb', a: 'adjective', r: 'adverb' };

/** Keeps the pairs that a held-out synset or group lists, each with its id: the others trained a model. */
export function heldOutSwaps(
  candidates: readonly Candidate[],
  synsets: readonly Synset[],
  groups: readonly Group[],
): Swap[] {
  const evidence = evidenceIn(synsets, groups);
  return candidates.flatMap(({ part, word, say, near, not }) => {
    const known = say.flatMap((text) => {
      const by = evidence.find((it) => (it.part ?? part) === part && it.words.has(word) && it.words.has(text))?.id;
      return by === undefined ? [] : [{ text, by }];
    });
    return known.length === 0 ? [] : [{ part, word, say: known, near: [...near], not: [...not] }];
  });
}

function evidenceIn(synsets: readonly Synset[], groups: readonly Group[]): Evidence[] {
  const lower = (words: readonly string[]) => new Set(words.map((it) => it.toLowerCase()));
  return [
    ...synsets
      .filter(({ id }) => isHeldOut('synset', id))
      .map(({ id, lemmas }) => ({ id, part: LETTERS[id[0] ?? ''] ?? null, words: lower(lemmas) })),
    ...groups
      .filter(({ id }) => isHeldOut('group', id))
      .map(({ id, words }) => ({ id, part: null, words: lower(words) })),
  ];
}
