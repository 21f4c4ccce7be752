import { z } from 'zod';
import { IdentityAnchor, StablePreference } from './entries.ts';
import { BoundedJson, JsonKey, recordOf } from './json.ts';
import { CAPSULE_BYTES, CHARACTERS, ITEMS, STALE_AFTER_SECONDS } from './limits.ts';
import { ContinuityState } from './state.ts';
import { RelativePath, text, texts, UtcTime } from './text.ts';
import { CapsuleHealth, VerificationState } from './verification.ts';
import { FreshnessClass, Lifecycle, SignalKind, SubjectKind, UpdateReason } from './words.ts';

export const SCHEMA_VERSION = '1.1';

/** The version before; its capsules are upgraded when they are loaded. */
export const LEGACY_VERSION = '1.0';

export const SubjectId = text(CHARACTERS.subject_id, 1);

export const ThreadDescriptor = z.strictObject({
  label: text(CHARACTERS['thread_descriptor.label'], 1),
  keywords: texts(ITEMS['thread_descriptor.keywords'], CHARACTERS['thread_descriptor.keywords'], 1).default([]),
  scope_anchors: texts(
    ITEMS['thread_descriptor.scope_anchors'],
    CHARACTERS['thread_descriptor.scope_anchors'],
    1,
  ).default([]),
  identity_anchors: z.array(IdentityAnchor).max(ITEMS['thread_descriptor.identity_anchors']).default([]),
  lifecycle: Lifecycle.optional(),
  superseded_by: text(CHARACTERS['thread_descriptor.superseded_by']).optional(),
});

const CapsuleSource = z.strictObject({
  producer: text(CHARACTERS['source.producer'], 1),
  update_reason: UpdateReason,
  inputs: texts(ITEMS['source.inputs'], CHARACTERS['source.inputs']).default([]),
});

const Confidence = z.strictObject({
  continuity: z.number().min(0).max(1),
  relationship_model: z.number().min(0).max(1),
});

export const CapsuleFreshness = z.strictObject({
  freshness_class: FreshnessClass.optional(),
  expires_at: UtcTime.optional(),
  stale_after_seconds: z.int().min(STALE_AFTER_SECONDS.least).max(STALE_AFTER_SECONDS.most).optional(),
});

const AttentionPolicy = z.strictObject({
  // bounded in number only; the cap on the whole capsule bounds its length
  early_load: z.array(text(CAPSULE_BYTES)).max(ITEMS['attention_policy.early_load']).default([]),
  presence_bias_overrides: texts(
    ITEMS['attention_policy.presence_bias_overrides'],
    CHARACTERS['attention_policy.presence_bias_overrides'],
  ).default([]),
});

/** One subject's orientation: 16 fields and the descriptor. Its canonical JSON has at most `CAPSULE_BYTES`. */
export const Capsule = z.strictObject({
  schema_version: z.enum([SCHEMA_VERSION, LEGACY_VERSION]).default(SCHEMA_VERSION),
  subject_kind: SubjectKind,
  subject_id: SubjectId,
  updated_at: UtcTime,
  verified_at: UtcTime,
  source: CapsuleSource,
  continuity: ContinuityState,
  confidence: Confidence,
  verification_kind: SignalKind.optional(),
  attention_policy: AttentionPolicy.optional(),
  freshness: CapsuleFreshness.optional(),
  canonical_sources: z.array(RelativePath).max(ITEMS.canonical_sources).default([]),
  metadata: recordOf(JsonKey, BoundedJson).default({}),
  verification_state: VerificationState.optional(),
  capsule_health: CapsuleHealth.optional(),
  stable_preferences: z.array(StablePreference).max(ITEMS.stable_preferences).default([]),
  thread_descriptor: ThreadDescriptor.optional(),
});

/**
 * A capsule as it was stored. Its two times may be malformed: then its age is unknown, which is no reason to keep its
 * orientation from an agent that has nothing else.
 */
export const StoredCapsule = Capsule.extend({ updated_at: text(100, 1), verified_at: text(100, 1) });

export type ThreadDescriptor = z.infer<typeof ThreadDescriptor>;
export type CapsuleFreshness = z.infer<typeof CapsuleFreshness>;
export type Capsule = z.infer<typeof Capsule>;
