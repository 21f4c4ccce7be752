import type { ErrorCode } from '../errors.ts';

/**
 * One call of an operation on capsules, or on artefacts that agents share: who, when, what, and digests. A digest lets
 * whoever has a text show that it was there; the text itself is never in the audit.
 */
export interface ContinuityCall {
  /** Unique. */
  readonly id: string;
  /** Whose store it is. */
  readonly agent_id: string;
  /** Entity URI of the caller. */
  readonly asked_by: string;
  /** Id of the operation, such as `upsertCapsule`. */
  readonly operation: string;
  /** sha256 of the canonical JSON of owner, kind and id; null for a call about no single subject. */
  readonly subject_digest: string | null;
  /** sha256 of the canonical JSON of the body; of the query, where there is none. */
  readonly request_digest: string;
  /** sha256 of the canonical JSON of the answer; null for a refusal. */
  readonly answer_digest: string | null;
  /** Null for a success. */
  readonly refusal: ErrorCode | null;
  /** The commit that a change made; null for a reading. */
  readonly commit: string | null;
  /** Milliseconds since 1970. */
  readonly created_at: number;
}
