import { z } from 'zod';
import { AuditRecord } from './record.ts';

/** An agent's report on a recall (§21.5.2); `at` is milliseconds since 1970. */
const AnsweredClosing = z.strictObject({
  used_chunks: z.array(z.string()),
  missed_chunks: z.array(z.string()),
  nothing_fits: z.boolean(),
  at: z.int(),
});

/** A recall or a heartbeat from the audit, with its agent's report: the input of all evaluation. */
export const AuditedAnswer = AuditRecord.omit({ audit_token: true, follows: true }).extend({
  id: z.string(),
  /** Place in the audit, ascending. */
  seq: z.int().nonnegative(),
  /** Empty for a heartbeat, and if the intent was erased or never kept. */
  intent: z.string(),
  /** Null while it is open. */
  closing: AnsweredClosing.nullable(),
  /** The recall that it follows, with its intent; null without one in the audit. */
  first: z.strictObject({ seq: z.int().nonnegative(), intent: z.string() }).nullable(),
});

/** Selects answers by `created_at`, in milliseconds since 1970. */
export interface AnswersFilter {
  /** An agent's id; null for all of them. */
  readonly agent: string | null;
  /** Inclusive. */
  readonly since: number;
  /** Exclusive. */
  readonly until: number;
}

type Mutable = z.infer<typeof AuditedAnswer>;
export type AuditedAnswer = {
  readonly [K in keyof Mutable]: Mutable[K] extends readonly (infer T)[] ? readonly T[] : Mutable[K];
};
