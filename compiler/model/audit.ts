import { z } from 'zod';

/** One unit of an answer as the audit keeps it. */
export const LoadedChunk = z.strictObject({
  name: z.string(),
  source: z.string(),
  rank: z.int().positive(),
  version: z.string(),
});

/** §21.5.1, as written before the answer leaves. Times are milliseconds since 1970. */
export interface RecallRecord {
  readonly id: string;
  readonly agent_id: string;
  readonly heartbeat_id: string;
  /** Where `heartbeat_id` comes from: a caller's header, or made up here. */
  readonly heartbeat_source: 'caller' | 'generated';
  readonly session_start: number;
  readonly intent: string;
  readonly request: string;
  readonly loaded_chunks: readonly LoadedChunk[];
  /** Names that were left out although they matched, were asked for or are guaranteed, with the reason. */
  readonly left_out: readonly { readonly name: string; readonly outcome: string }[];
  readonly bundle_revision: string;
  readonly audit_token: string;
  readonly created_at: number;
}

const Names = z.array(z.string().min(1).max(64)).max(100);

/** §21.5.2: what an agent says at the end of a heartbeat. */
export const Closing = z.strictObject({
  audit_token: z.string().min(1).max(200),
  used_chunks: Names.default([]),
  missed_chunks: Names.default([]),
});

export type LoadedChunk = z.infer<typeof LoadedChunk>;
export type Closing = z.infer<typeof Closing>;

/** §21.5.2: an open token is closed within this many milliseconds. */
export const TOKEN_LIFETIME_MS = 24 * 60 * 60 * 1000;
