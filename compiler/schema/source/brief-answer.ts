import { z } from 'zod';
import { oneLine } from '../primitives.ts';
import { Name } from '../uri.ts';
import { MAX_PHRASE_LENGTH, MAX_PHRASES, PhraseSet } from './phrases.ts';
import { MAX_DESCRIPTION_LENGTH, MAX_TRIGGER_LENGTH } from './unit.ts';

/** Maximum number of characters of a question: people type more than they file. */
export const MAX_QUESTION_LENGTH = 300;

/** Maximum number of triggers of a unit of a migration: each costs a place in the manifest. */
export const MOST_TRIGGERS = 3;

/** More lines than a boot stub has room for. */
const MOST_ALWAYS = 100;

/** More units than a brief shows. */
const MAX_DECLINED = 100;

/** @param length of each sentence, in characters */
const sentencesOf = (length: number) => z.record(Name, z.array(oneLine(length).min(1)).max(MAX_PHRASES));

/** The answer to a brief that asks for phrases: sentences by unit, and who wrote them. */
export const PhrasesAnswer = z.strictObject({
  brief: z.string(),
  by: PhraseSet.shape.by,
  units: sentencesOf(MAX_PHRASE_LENGTH),
  /** Units that need no phrases. */
  declined: z.array(Name).max(MAX_DECLINED).optional(),
});

/** The answer to a brief that asks for probes: questions by the unit that each must find. */
export const ProbesAnswer = z.strictObject({ brief: z.string(), units: sentencesOf(MAX_QUESTION_LENGTH) });

/** Words for one unit that a migration proposes; an absent member stays as it was proposed. */
const UnitWords = z.strictObject({
  name: Name.optional(),
  description: oneLine(MAX_DESCRIPTION_LENGTH).min(1).optional(),
  triggers: z.array(oneLine(MAX_TRIGGER_LENGTH).min(1)).min(1).max(MOST_TRIGGERS).optional(),
});

/** The answer to a brief about proposed units: words by the names that they were proposed with, and who wrote them. */
export const UnitsAnswer = z.strictObject({
  brief: z.string(),
  by: PhraseSet.shape.by,
  units: z.record(Name, UnitWords),
  /** Lines of texts that must always hold, as `unit:number`; empty if none must. */
  always: z
    .array(z.string().regex(/^[a-z0-9-]{1,64}:\d{1,5}$/))
    .max(MOST_ALWAYS)
    .optional(),
});

export type UnitWords = z.infer<typeof UnitWords>;
