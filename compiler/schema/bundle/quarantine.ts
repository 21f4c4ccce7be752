import { z } from 'zod';
import { Digest } from '../primitives.ts';

/** Why a fact is quarantined (DESIGN §7). */
export const QuarantineReason = z.enum(['withdrawn', 'security', 'unverified']);

/** A fact that is in no index, manifest, preload or export; `rules` names the lint rules that it breaks. */
export const QuarantinedFact = z.strictObject({
  name: z.string(),
  uri: z.string(),
  digest: Digest,
  file: z.string(),
  reason: QuarantineReason,
  rules: z.array(z.string()),
});

/** `quarantine.json` of a garden. */
export const QuarantineFile = z.strictObject({ format: z.literal(1), held: z.array(QuarantinedFact) });

export type QuarantineReason = z.infer<typeof QuarantineReason>;
export type QuarantinedFact = z.infer<typeof QuarantinedFact>;
