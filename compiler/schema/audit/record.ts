import { z } from 'zod';

/** What brought units to an agent: its own question, or being woken. */
export const AuditKind = z.enum(['recall', 'heartbeat']);

/** One unit of an answer as the audit keeps it. */
export const LoadedChunk = z.strictObject({
  name: z.string(),
  source: z.enum(['stigmem', 'fallback_path', 'task_type_preload']),
  rank: z.int().positive(),
  version: z.string(),
});

/** §21.5.1, as written before the answer leaves. Times are milliseconds since 1970. */
export const AuditRecord = z.strictObject({
  id: z.string(),
  kind: AuditKind,
  /** Whether a heartbeat ended in an error (§21.1.5 S2), which then stands in `warnings`; false for a recall. */
  aborted: z.boolean(),
  agent_id: z.string(),
  /** Entity URI of who asked: the agent itself, or whoever else may read its garden. */
  asked_by: z.string(),
  heartbeat_id: z.string(),
  /** Where `heartbeat_id` comes from: a verified token, a caller's header, or made up here. */
  heartbeat_source: z.enum(['verified', 'caller', 'generated']),
  session_start: z.int(),
  /** Why the agent was woken, where the control plane vouches for it. */
  wake_reason: z.string().nullable(),
  /** Empty for a heartbeat. */
  intent: z.string(),
  /** Canonical JSON of the rest of the request, so that it can be replayed. */
  request: z.string(),
  loaded_chunks: z.array(LoadedChunk),
  /** sha256 of each loaded text, in the order of `loaded_chunks`. */
  content_digests: z.array(z.string()),
  /** Names that were left out although they matched, were asked for or are guaranteed, with the reason. */
  left_out: z.array(z.strictObject({ name: z.string(), outcome: z.string() })),
  /** What the answer cost its reader, a heartbeat's stub among it; 0 if it was aborted. */
  tokens: z.int().nonnegative(),
  warnings: z.array(z.string()),
  bundle_revision: z.string(),
  /** The instant that the answer was worked out for. */
  now: z.string(),
  audit_token: z.string(),
  created_at: z.int(),
});

const Names = z.array(z.string().min(1).max(64)).max(100);

/** §21.5.2: what an agent says at the end of a heartbeat. */
export const Closing = z.strictObject({
  audit_token: z.string().min(1).max(200),
  used_chunks: Names.default([]),
  missed_chunks: Names.default([]),
});

export type AuditKind = z.infer<typeof AuditKind>;
export type AuditRecord = z.infer<typeof AuditRecord>;
export type LoadedChunk = z.infer<typeof LoadedChunk>;
export type Closing = z.infer<typeof Closing>;

/** §21.5.2: an open token is closed within this many milliseconds. */
export const TOKEN_LIFETIME_MS = 24 * 60 * 60 * 1000;
