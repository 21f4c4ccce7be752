import { z } from 'zod';
import { Instant } from '../primitives.ts';
import { wholeNumber } from '../whole-number.ts';
import { AuditRecord } from './record.ts';

const Names = z.array(z.string());

/** An audit record as an administrator reads it (§21.5.1), with the agent's report. */
export const AuditPageEntry = AuditRecord.pick({
  kind: true,
  aborted: true,
  agent_id: true,
  heartbeat_id: true,
  files: true,
  follows: true,
  loaded_chunks: true,
  candidates: true,
  left_out: true,
  warnings: true,
  audit_token: true,
}).extend({
  id: z.string(),
  /** Place in the log; the last one of a page is the `before` of the next page. */
  seq: z.int().nonnegative(),
  session_start: Instant,
  /** Empty for a heartbeat, and if it was erased or never kept. */
  intent: z.string(),
  /** Salted, so that nobody can test guesses against it; it stays where the intent was erased or never kept. */
  intent_digest: z.string().nullable(),
  used_chunks: Names,
  missed_chunks: Names,
  nothing_fits: z.boolean(),
  /** Null while it is open. */
  audit_closed: Instant.nullable(),
  created_at: Instant,
});

/** The newest entries of one agent, newest first. */
export const AuditPage = z.strictObject({ entries: z.array(AuditPageEntry) });

/** Selects at most `limit` entries with a `seq` below `before`. */
export const AuditPageQuery = z.strictObject({
  limit: wholeNumber(1, 200).default(20),
  before: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(Number.MAX_SAFE_INTEGER),
});

export type AuditPage = z.infer<typeof AuditPage>;
export type AuditPageEntry = z.infer<typeof AuditPageEntry>;
