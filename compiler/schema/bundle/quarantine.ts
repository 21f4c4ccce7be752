import { z } from 'zod';
import { Digest } from '../primitives.ts';

/** Why a fact is held back (DESIGN §7). */
export const HoldReason = z.enum(['withdrawn', 'security', 'unverified']);

/** A fact that is in no index, manifest, preload or export; `rules` names what the lint found. */
export const HeldFact = z.strictObject({
  name: z.string(),
  uri: z.string(),
  digest: Digest,
  file: z.string(),
  reason: HoldReason,
  rules: z.array(z.string()),
});

/** `quarantine.json` of a garden. */
export const QuarantineFile = z.strictObject({ format: z.literal(1), held: z.array(HeldFact) });

export type HoldReason = z.infer<typeof HoldReason>;
export type HeldFact = z.infer<typeof HeldFact>;
