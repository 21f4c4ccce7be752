import { z } from 'zod';

/** The parts of speech of synonyms. */
export const PARTS = ['noun', 'verb', 'adjective', 'adverb'] as const;

export type Part = (typeof PARTS)[number];

const Phrase = z.string().regex(/^[A-Za-z]+(?:[ -][A-Za-z]+)*$/);
const Sets = z.record(z.string(), z.array(Phrase).min(2));

/** The words of `say` can replace each other and the words of `for`, which mostly have another meaning. */
const Synonyms = z.strictObject({ say: z.array(Phrase).min(1), for: z.array(Phrase) });

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
});

export type Lexicon = z.infer<typeof Lexicon>;
