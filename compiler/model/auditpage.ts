import { z } from 'zod';
import { LoadedChunk } from './audit.ts';

const Names = z.array(z.string());

/** An audit record as an administrator reads it: with what the agent said of it, once it did. */
export const AuditPageEntry = z.looseObject({
  /** Place in the log; a page ends where the next one begins. */
  seq: z.int().nonnegative(),
  id: z.string(),
  agent_id: z.string(),
  heartbeat_id: z.string(),
  session_start: z.int(),
  /** Empty where it was erased, or was never kept. */
  intent: z.string(),
  loaded_chunks: z.array(LoadedChunk),
  used_chunks: Names,
  missed_chunks: Names,
  audit_token: z.string(),
  audit_closed: z.int().nullable(),
  created_at: z.int(),
});

/** The newest entries of one agent, newest first. */
export const AuditPage = z.strictObject({ entries: z.array(AuditPageEntry) });

/** Which of them: at most `limit`, with a `seq` below `before`. */
export const AuditPageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(20),
  before: z.coerce.number().int().min(0).default(Number.MAX_SAFE_INTEGER),
});

export type AuditPage = z.infer<typeof AuditPage>;
