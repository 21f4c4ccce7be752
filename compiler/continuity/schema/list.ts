import { z } from 'zod';
import { CapsuleFreshness, ThreadDescriptor } from './capsule.ts';
import { CHARACTERS, LIST_ROWS } from './limits.ts';
import { Salience, SalienceMetadata } from './salience.ts';
import { text } from './text.ts';
import {
  ContentKind,
  FreshnessClass,
  HealthStatus,
  Lifecycle,
  Phase,
  SignalKind,
  SubjectKind,
  VerificationStatus,
} from './words.ts';

const flag = z.boolean().nullish();
const filter = (name: keyof typeof CHARACTERS) => text(CHARACTERS[name]).nullish();

export const ListRequest = z
  .strictObject({
    subject_kind: SubjectKind.nullish(),
    limit: z.int().min(1).max(LIST_ROWS.most).nullish().meta({ default: LIST_ROWS.default }),
    include_fallback: flag,
    include_archived: flag,
    /** Accepted; no capsule is in cold storage yet. */
    include_cold: flag,
    lifecycle: Lifecycle.nullish(),
    scope_anchor: filter('thread_descriptor.scope_anchors'),
    keyword: filter('thread_descriptor.keywords'),
    label_exact: filter('thread_descriptor.label'),
    anchor_kind: filter('identity_anchors.kind'),
    anchor_value: filter('identity_anchors.value'),
    sort: z.enum(['default', 'salience']).nullish(),
  })
  .refine(({ anchor_kind, anchor_value }) => (anchor_value ?? null) === null || (anchor_kind ?? null) !== null, {
    path: ['anchor_value'],
    message: 'needs anchor_kind',
  });

const ArtifactState = z.enum(['active', 'fallback', 'archived', 'cold']);
const RetentionClass = z.enum(['active', 'fallback', 'archive_recent', 'archive_stale', 'cold']);

/**
 * The row that the store keeps of each file, so that a list reads no file: all members that do not depend on the time
 * of asking.
 */
export const CapsuleRow = z.strictObject({
  subject_kind: SubjectKind,
  subject_id: z.string(),
  path: z.string(),
  artifact_state: ArtifactState,
  updated_at: z.string(),
  verified_at: z.string(),
  archived_at: z.string().nullable(),
  verification_kind: SignalKind.nullable(),
  verification_status: VerificationStatus,
  strongest_signal: SignalKind.nullable(),
  freshness: CapsuleFreshness.nullable(),
  health_status: HealthStatus,
  health_reasons: z.array(z.string()),
  resume_adequate: z.boolean(),
  stable_preference_count: z.int(),
  /** Of every status. */
  rationale_entry_count: z.int(),
  thread_descriptor: ThreadDescriptor.nullable(),
});

/** One row of a list. */
export const CapsuleSummary = z.strictObject({
  subject_kind: SubjectKind,
  subject_id: z.string(),
  path: z.string(),
  updated_at: z.string(),
  verified_at: z.string(),
  verification_kind: SignalKind.nullable(),
  freshness_class: FreshnessClass.nullable(),
  phase: Phase,
  verification_status: VerificationStatus,
  health_status: HealthStatus,
  health_reasons: z.array(z.string()),
  artifact_state: ArtifactState,
  retention_class: RetentionClass,
  archived_at: z.string().nullable(),
  /** Null if only unpacking could tell: in cold storage. */
  stable_preference_count: z.int().nullable(),
  rationale_entry_count: z.int().nullable(),
  thread_descriptor: ThreadDescriptor.nullable(),
  resume_adequate: z.boolean(),
  /** With `sort=salience`. */
  salience: Salience.optional(),
});

/** A file that is there and cannot be read, so that nobody takes a short list for all that there is. */
export const UnreadableCapsule = z.strictObject({
  path: z.string(),
  artifact_state: ArtifactState,
  /** From its name. */
  subject_kind: SubjectKind.nullable(),
  /** From its fallback or an archive; null if none can be read. */
  subject_id: z.string().nullable(),
});

export const ListAnswer = z.strictObject({
  ok: z.literal(true),
  count: z.int(),
  capsules: z.array(CapsuleSummary),
  /** Read an active one with `allow_fallback` for what was last written. */
  unreadable: z.array(UnreadableCapsule),
  content_kind: ContentKind,
  /** With `sort=salience`; null of an empty list. */
  salience_metadata: SalienceMetadata.nullable().optional(),
});

export type ListRequest = z.infer<typeof ListRequest>;
export type CapsuleRow = z.infer<typeof CapsuleRow>;
export type CapsuleSummary = z.infer<typeof CapsuleSummary>;
export type UnreadableCapsule = z.infer<typeof UnreadableCapsule>;
export type ListAnswer = z.infer<typeof ListAnswer>;
