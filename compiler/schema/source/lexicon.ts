import { z } from 'zod';

/** The parts of speech of synonyms. */
export const PARTS = ['noun', 'verb', 'adjective', 'adverb'] as const;

export type Part = (typeof PARTS)[number];

const Phrase = z.string().regex(/^[A-Za-z]+(?:[ -][A-Za-z]+)*$/);
const Sets = z.record(z.string(), z.array(Phrase).min(2));

/** The words of `say` can replace each other and the words of `for`, which mostly have another meaning. */
const Synonyms = z.strictObject({ say: z.array(Phrase).min(1), for: z.array(Phrase) });

/**
 * A word with what can stand in its place: `by` names the synset or group that lists both. The sense is known from the
 * trigger's other words: one of `near` is there (unless `near` is empty), and none of `not`.
 */
export const Swap = z.strictObject({
  part: z.enum(PARTS),
  word: Phrase,
  say: z.array(z.strictObject({ text: Phrase, by: z.string() })).min(1),
  near: z.array(z.string()),
  not: z.array(z.string()),
});

export type Swap = z.infer<typeof Swap>;

/**
 * The material of paraphrases: synonyms, by the id in the resource that lists them, and sentence frames. All of it is
 * held out from training (`compiler/quality/paraphrase/held-out.ts`).
 */
export const Lexicon = z.strictObject({
  format: z.literal(1),
  /** Synonyms of WordNet; the first letter of an id is the part of speech. */
  synsets: z.record(z.string().regex(/^[nvar]\d{8}$/), Synonyms),
  /** The project's own groups of synonyms, by part of speech. */
  groups: z.strictObject({ noun: Sets, verb: Sets, adjective: Sets, adverb: Sets }),
  frames: z.array(z.string().regex(/\{(noun|verb)\}/)),
  /** The replacements that paraphrases make; synsets and groups are also a dictionary of what is an English word. */
  swaps: z.array(Swap),
});

export type Lexicon = z.infer<typeof Lexicon>;
