import { z } from 'zod';
import { oneLine } from '../primitives.ts';
import { Name } from '../uri.ts';
import { MAX_PHRASE_LENGTH, MAX_PHRASES, PhraseSet } from './phrases.ts';

/** How many characters a question has: people type more than they file. */
export const MAX_QUESTION_LENGTH = 300;

/** @param length of each sentence, in characters */
const sentencesOf = (length: number) => z.record(Name, z.array(oneLine(length).min(1)).max(MAX_PHRASES));

/** What answers a brief that asks for phrases: sentences by unit, and who wrote them. */
export const PhrasesAnswer = z.strictObject({
  brief: z.string(),
  by: PhraseSet.shape.by,
  units: sentencesOf(MAX_PHRASE_LENGTH),
});

/** What answers a brief that asks for probes: questions by the unit that each must find. */
export const ProbesAnswer = z.strictObject({ brief: z.string(), units: sentencesOf(MAX_QUESTION_LENGTH) });
