import { z } from 'zod';
import { Digest, oneLine } from '../primitives.ts';
import { Name } from '../uri.ts';

/** Maximum numbers of phrases of a unit, and of characters of each. */
export const MAX_PHRASES = 16;
export const MAX_PHRASE_LENGTH = 150;

/** Maximum number of units of a phrase file with phrases; more would not fit its bytes. */
const MAX_BRIEFED = 10_000;

/** Sentences that agents may say when they need a unit, in other words than its triggers. */
const Phrases = z.array(oneLine(MAX_PHRASE_LENGTH).min(1)).max(MAX_PHRASES);

/** The writer of phrases: a person or a program. */
const Writer = oneLine(80).min(1);

/** `phrases/<agent>.yaml`, or `phrases/shared.yaml` for shared units. They belong to the garden's index. */
export const PhraseSet = z.strictObject({
  by: Writer,
  units: z
    .record(
      Name,
      z.strictObject({
        /** sha256 of the unit's text, as served, that they were written for. */
        digest: Digest.optional(),
        phrases: Phrases,
      }),
    )
    .refine((units) => Object.keys(units).length <= MAX_BRIEFED, `at most ${MAX_BRIEFED} units are read`),
});

/** The phrases of one unit, as a garden was compiled with them. */
export const UnitPhrases = z.strictObject({
  name: Name,
  by: Writer,
  /** Null if nobody noted the text that they were written for. */
  digest: Digest.nullable(),
  phrases: Phrases,
});

/** `phrases.json` of a garden: its own units and the shared ones, by name. */
export const PhraseFile = z.strictObject({ format: z.literal(1), units: z.array(UnitPhrases) });

export type PhraseSet = z.infer<typeof PhraseSet>;
export type UnitPhrases = z.infer<typeof UnitPhrases>;
export type PhraseFile = z.infer<typeof PhraseFile>;
