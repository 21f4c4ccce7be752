import { z } from 'zod';
import { CHARACTERS, ITEMS } from './limits.ts';
import { EntryTime, text, texts } from './text.ts';

/** The first two are set by the system when an entry is stored; the last one by the agent, or by nobody. */
const TIMES = {
  created_at: EntryTime.optional(),
  updated_at: EntryTime.optional(),
  last_confirmed_at: EntryTime.optional(),
};

/** A decision not to act. */
export const NegativeDecision = z.strictObject({
  decision: text(CHARACTERS['negative_decisions.decision'], 1),
  rationale: text(CHARACTERS['negative_decisions.rationale'], 1),
  ...TIMES,
});

/** One rationale of a decision, or an unresolved tension. */
export const RationaleEntry = z.strictObject({
  tag: text(CHARACTERS['rationale_entries.tag'], 1),
  kind: z.enum(['decision', 'assumption', 'tension']),
  status: z.enum(['active', 'superseded', 'retired']),
  summary: text(CHARACTERS['rationale_entries.summary'], 1),
  reasoning: text(CHARACTERS['rationale_entries.reasoning'], 1),
  alternatives_considered: texts(
    ITEMS['rationale_entries.alternatives_considered'],
    CHARACTERS['rationale_entries.alternatives_considered'],
    1,
  ).optional(),
  depends_on: texts(ITEMS['rationale_entries.depends_on'], CHARACTERS['rationale_entries.depends_on'], 1).optional(),
  /** A tag of the same list whose status is `superseded`. */
  supersedes: text(CHARACTERS['rationale_entries.supersedes']).optional(),
  ...TIMES,
});

/** A durable preference of a user or a peer. */
export const StablePreference = z.strictObject({
  tag: text(CHARACTERS['stable_preferences.tag'], 1),
  content: text(CHARACTERS['stable_preferences.content'], 1),
  ...TIMES,
});

/** An anchor that identifies a thread, such as a repository or an issue. */
export const IdentityAnchor = z.strictObject({
  kind: text(CHARACTERS['identity_anchors.kind'], 1),
  value: text(CHARACTERS['identity_anchors.value'], 1),
});

/** A document of the agent's repository: its path, never its content. */
export const RelatedDocument = z.strictObject({
  path: z
    .string()
    .max(CHARACTERS['related_documents.path'])
    .regex(/^[A-Za-z0-9._/-]+$/)
    .refine((path) => !path.startsWith('/') && !path.includes('..'), 'a path must not leave the repository'),
  kind: text(CHARACTERS['related_documents.kind']).regex(/^[a-z][a-z0-9_]*$/, 'use lower-case letters, digits and _'),
  label: text(CHARACTERS['related_documents.label'], 1),
  relevance: text(CHARACTERS['related_documents.relevance'], 1).optional(),
});

export type NegativeDecision = z.infer<typeof NegativeDecision>;
export type RationaleEntry = z.infer<typeof RationaleEntry>;
export type StablePreference = z.infer<typeof StablePreference>;
export type IdentityAnchor = z.infer<typeof IdentityAnchor>;
export type RelatedDocument = z.infer<typeof RelatedDocument>;
