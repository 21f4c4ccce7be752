import { z } from 'zod';
import { WARNINGS } from '../errors.ts';
import { Chunk, Outcome } from './recall.ts';

/** What the control plane vouches for of the heartbeat that a caller acts in (§21.1.5 S1, DESIGN §6.10). */
export interface VerifiedHeartbeat {
  readonly heartbeat_id: string;
  /** Milliseconds since 1970. */
  readonly session_start: number;
  /** Null where the token names none: it opens everything but the heartbeat. */
  readonly wake_reason: string | null;
}

/** §21.1.5: stub and preloads together should stay within this many tokens; nothing is dropped beyond. */
export const HEARTBEAT_TOKEN_BUDGET = 2000;

/** The body of a heartbeat. It has no place for a wake reason (§21.1.5 S1). */
export const HeartbeatRequest = z.strictObject({
  /** §21.1.3; one that was not rendered is delivered as `generic`. */
  profile: z.string().min(1).max(64).default('generic'),
});

/** A unit that is owed to a wake reason, whole. */
export const Preload = Chunk.omit({ score: true, source: true }).extend({
  source: z.enum(['task_type_preload', 'fallback_path']),
});

/** A unit that is owed and cannot be had, and why. */
export const MissingPreload = z.strictObject({ name: z.string(), outcome: Outcome });

/** What an agent gets when it is woken, before it is told of any task. */
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
    /** Of the body, as the limit counts it. */
    tokens: z.int(),
  }),
  /** By name. */
  preloads: z.array(Preload),
  /** Stub and preloads together. */
  total_tokens: z.int(),
  warnings: z.array(z.enum(WARNINGS)),
  /** The units that `preload_unit_unavailable` speaks of. */
  unavailable: z.array(MissingPreload),
  bundle_revision: z.string(),
  audit_token: z.string(),
});

export type HeartbeatRequest = z.infer<typeof HeartbeatRequest>;
export type HeartbeatResponse = z.infer<typeof HeartbeatResponse>;
export type Preload = z.infer<typeof Preload>;
export type MissingPreload = z.infer<typeof MissingPreload>;
