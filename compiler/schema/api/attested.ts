import { z } from 'zod';
import { Fact, FactVersion } from '../bundle/fact.ts';
import { ManifestProvenance } from '../bundle/garden.ts';
import { Digest, Instant } from '../primitives.ts';

/** The proof of a fact (§21.4.3): the garden's signed statement, and the subject in it that names the fact. */
const Attestation = z.strictObject({
  subject: z.string(),
  /** The DSSE envelope; it verifies with the trust root alone. */
  envelope: z.unknown(),
});

const attestation_chain = z.array(Attestation).min(1);

/** A manifest is itself a fact (§21.2.3): its content as served, with the provenance of its garden's statement. */
export const AttestedManifest = z.strictObject({
  ...ManifestProvenance.partial().shape,
  uri: z.string(),
  name: z.literal('manifest'),
  version: z.int().positive(),
  content: z.string(),
  digest: Digest,
  /** When the next known version was committed; null for the current version. */
  valid_until: Instant.nullable(),
  attestation_chain,
});

/** One fact by its URI, current or superseded, with its proof. */
export const Attested = z.union([
  Fact.extend({ attestation_chain }),
  FactVersion.extend({ attestation_chain }),
  AttestedManifest,
]);

export type Attested = z.infer<typeof Attested>;
export type AttestedManifest = z.infer<typeof AttestedManifest>;
