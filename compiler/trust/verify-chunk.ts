import { VadeError } from '../schema/errors.ts';
import type { Refusal } from '../schema/refusals.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import { openGarden } from './attest.ts';
import { sha256 } from './canonical.ts';
import { assertInForce } from './root-chain.ts';

/** A recalled chunk as an agent received it. */
export interface ReceivedChunk {
  readonly fact_uri: string;
  readonly content: string;
  /** `fallback_path` for the text of a legacy file (§21.6.1); without it the text of the fact. */
  readonly source?: 'stigmem' | 'fallback_path' | undefined;
}

/** Folder of a garden's legacy files. */
const LEGACY = 'files/';

export type ChunkVerdict =
  | { readonly ok: true; readonly garden: string }
  | { readonly ok: false; readonly reason: Refusal };

/**
 * The agent's own check (DESIGN §7): did the deployment's keys sign this text under this URI? It needs only the chunk,
 * the envelope of its garden (`attestation_chain` of GET /v1/facts) and a trust root.
 *
 * It does not check that the text is still in force: a withdrawn text remains a subject of the statement.
 *
 * @param root the newest trust root, verified by the chain from one that the agent was given from outside
 * @param now ISO 8601
 */
export function verifyChunk(chunk: ReceivedChunk, envelope: Buffer, root: TrustRoot, now: string): ChunkVerdict {
  try {
    assertInForce(root, now);
    const { subject, predicate } = openGarden(envelope, root, now).statement;
    if (!root.development && predicate.deployment !== root.deployment)
      return { ok: false, reason: 'statement_misplaced' };
    // files are subjects too, but not facts; only they have annotations
    const fact = subject.filter((it) => it.name === chunk.fact_uri && !it.annotations);
    if (fact.length === 0) return { ok: false, reason: 'file_unexpected' };
    const legacy = subject.filter((it) => it.annotations && it.name.startsWith(LEGACY));
    const digest = sha256(chunk.content);
    const same = (chunk.source === 'fallback_path' ? legacy : fact).some((it) => it.digest.sha256 === digest);
    return same ? { ok: true, garden: predicate.garden } : { ok: false, reason: 'digest_mismatch' };
  } catch (error) {
    if (error instanceof VadeError) return { ok: false, reason: error.details['reason'] as Refusal };
    return { ok: false, reason: 'format_unknown' };
  }
}
