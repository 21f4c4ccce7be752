import { z } from 'zod';
import { BoundedJson } from './json.ts';
import { CHARACTERS, ITEMS } from './limits.ts';
import { TEXT_LISTS } from './state.ts';
import { text, UtcTime } from './text.ts';
import { CommitMessage, IdempotencyKey, SUBJECT, WRITTEN } from './upsert.ts';
import { Lifecycle, ThreadKind, Transition } from './words.ts';

/** The lists of plain texts that a patch changes: twelve of the sixteen targets. */
export const TEXT_TARGETS = [
  ...TEXT_LISTS.map((name) => `continuity.${name}` as const),
  'thread_descriptor.keywords',
  'thread_descriptor.scope_anchors',
] as const;

/** The lists of entries, which are found by a key. */
const ENTRY_TARGETS = [
  'continuity.negative_decisions',
  'continuity.rationale_entries',
  'stable_preferences',
  'thread_descriptor.identity_anchors',
] as const;

export const PatchTarget = z.enum([...TEXT_TARGETS, ...ENTRY_TARGETS]);

/** An anchor is matched by `kind:value`, which is longer than any other key. */
const MATCH_CHARACTERS = CHARACTERS['identity_anchors.kind'] + 1 + CHARACTERS['identity_anchors.value'];

export const PatchOperation = z.strictObject({
  target: PatchTarget,
  action: z.enum(['append', 'remove', 'replace_at']),
  value: BoundedJson.meta({ description: 'A text, or for lists of entries a whole entry' }).optional(),
  match: text(MATCH_CHARACTERS)
    .nullish()
    .meta({ description: 'The exact text; of an entry its tag, decision or kind:value' }),
  index: z.int().nonnegative().nullish().meta({ description: 'replace_at in a list of texts: 0 is the first' }),
});

export const PatchRequest = z.strictObject({
  ...SUBJECT,
  updated_at: UtcTime,
  operations: z.array(PatchOperation).min(1).max(ITEMS.operations),
  commit_message: CommitMessage,
  idempotency_key: IdempotencyKey,
});

export const PatchAnswer = z.strictObject({
  ...WRITTEN,
  updated: z.boolean(),
  capsule_sha256: z.string(),
  operations_applied: z.int(),
  normalizations_applied: z.array(z.string()),
});

export const LifecycleRequest = z.strictObject({
  subject_kind: ThreadKind,
  subject_id: SUBJECT.subject_id,
  transition: Transition,
  superseded_by: text(CHARACTERS['thread_descriptor.superseded_by']).nullish(),
  updated_at: UtcTime,
  commit_message: CommitMessage,
  idempotency_key: IdempotencyKey,
});

export const LifecycleAnswer = z.strictObject({
  ...WRITTEN,
  lifecycle: Lifecycle,
  previous_lifecycle: Lifecycle,
  capsule_sha256: z.string(),
});

export type PatchTarget = z.infer<typeof PatchTarget>;
export type PatchOperation = z.infer<typeof PatchOperation>;
export type PatchRequest = z.infer<typeof PatchRequest>;
export type PatchAnswer = z.infer<typeof PatchAnswer>;
export type LifecycleRequest = z.infer<typeof LifecycleRequest>;
export type LifecycleAnswer = z.infer<typeof LifecycleAnswer>;
