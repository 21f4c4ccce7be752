import { z } from 'zod';

/** Which words may stand for each other as what. */
export const PARTS = ['noun', 'verb', 'adjective', 'adverb'] as const;

export type Part = (typeof PARTS)[number];

const Phrase = z.string().regex(/^[A-Za-z]+(?:[ -][A-Za-z]+)*$/);
const Sets = z.record(z.string(), z.array(Phrase).min(2));

/** `say` may be said for each other, and for words that `for` names: those mostly mean something else. */
const Synonyms = z.strictObject({ say: z.array(Phrase).min(1), for: z.array(Phrase) });

/**
 * What paraphrases are made of: words that mean the same, by the id of the resource that says so, and frames of
 * sentences. All of them are held out from training (`compiler/quality/paraphrase/held-out.ts`).
 */
export const Lexicon = z.strictObject({
  format: z.literal(1),
  /** WordNet's; an id's first letter is its part of speech. */
  synsets: z.record(z.string().regex(/^[nvar]\d{8}$/), Synonyms),
  /** The project's own groups, split by part of speech. */
  groups: z.strictObject({ noun: Sets, verb: Sets, adjective: Sets, adverb: Sets }),
  frames: z.array(z.string().regex(/\{(noun|verb)\}/)),
});

export type Lexicon = z.infer<typeof Lexicon>;
