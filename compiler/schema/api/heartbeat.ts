import { z } from 'zod';
import { WARNINGS } from '../errors.ts';
import { Chunk, MissingUnit } from './recall.ts';

/** The caller's heartbeat, as a token of the control plane states it (§21.1.5 S1, DESIGN §6.10). */
export interface VerifiedHeartbeat {
  readonly heartbeat_id: string;
  /** Milliseconds since 1970. */
  readonly session_start: number;
  /** Null if the token names none: such a token may call everything except the heartbeat. */
  readonly wake_reason: string | null;
}

/** §21.1.5: stub and preloads together should stay within this many tokens; nothing is dropped above it. */
export const HEARTBEAT_TOKEN_BUDGET = 2000;

/** The body of a heartbeat. It has no place for a wake reason (§21.1.5 S1). */
export const HeartbeatRequest = z.strictObject({
  /** §21.1.3; a profile that was not rendered is delivered as `generic`. */
  profile: z.string().min(1).max(64).default('generic'),
});

/** A unit that the wake reason preloads, with its whole text. */
export const Preload = Chunk.omit({ score: true, source: true, is_part: true, note: true }).extend({
  source: z.enum(['task_type_preload', 'fallback_path']),
});

/** The answer that an agent receives when it is woken, before it receives any task. */
export const HeartbeatResponse = z.strictObject({
  agent_id: z.string(),
  heartbeat_id: z.string(),
  wake_reason: z.string(),
  stub: z.strictObject({
    /** Markdown with front matter (§21.1.2). */
    content: z.string(),
    profile: z.string(),
    stub_version: z.int(),
    manifest_version: z.string(),
    /** Tokens of the body, which the limit applies to. */
    tokens: z.int(),
  }),
  /** By name. */
  preloads: z.array(Preload),
  /** Stub and preloads together. */
  total_tokens: z.int(),
  warnings: z.array(z.enum(WARNINGS)),
  /** The units of the warning `preload_unit_unavailable`. */
  unavailable: z.array(MissingUnit),
  bundle_revision: z.string(),
  audit_token: z.string(),
});

export type HeartbeatRequest = z.infer<typeof HeartbeatRequest>;
export type HeartbeatResponse = z.infer<typeof HeartbeatResponse>;
export type Preload = z.infer<typeof Preload>;
