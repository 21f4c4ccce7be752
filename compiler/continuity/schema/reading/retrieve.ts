import { z } from 'zod';
import { SubjectId } from '../capsule.ts';
import { GraphContext } from '../graph/graph.ts';
import { BUNDLE, SELECTORS, TOKENS } from '../limits.ts';
import { Salience, SalienceMetadata } from '../salience.ts';
import { ScheduleContext } from '../schedule/answers.ts';
import { text } from '../text.ts';
import { AggregateTrustSignals, CompactTrustSignals, TrustSignals } from '../trust-signals.ts';
import { SUBJECT } from '../upsert.ts';
import { RecoveryWarning } from '../warnings.ts';
import { ContentKind, SourceState, SubjectKind } from '../words.ts';

const whole = ({ least, most, default: given }: { least: number; most: number; default: number }) =>
  z.int().min(least).max(most).nullish().meta({ default: given });

export const RetrieveRequest = z
  .strictObject({
    task: text(BUNDLE.task_characters),
    subject_kind: SubjectKind.nullish(),
    subject_id: SubjectId.nullish(),
    continuity_mode: z.enum(['auto', 'required', 'off']).nullish(),
    continuity_verification_policy: z.enum(['allow_degraded', 'prefer_healthy', 'require_healthy']).nullish(),
    continuity_resilience_policy: z.enum(['allow_fallback', 'prefer_active', 'require_active']).nullish(),
    continuity_selectors: z.array(z.strictObject(SUBJECT)).max(SELECTORS.most).nullish(),
    continuity_max_capsules: whole({ least: 1, ...SELECTORS }),
    max_tokens_estimate: whole(TOKENS),
    /** Of a general memory, which this server does not keep: accepted, without effect. */
    include_types: z.array(text(BUNDLE.type_characters)).max(BUNDLE.types).nullish(),
    time_window_days: whole(BUNDLE.time_window_days),
    limit: whole(BUNDLE.limit),
  })
  .refine(({ subject_kind, subject_id }) => ((subject_kind ?? null) === null) === ((subject_id ?? null) === null), {
    path: ['subject_id'],
    message: 'subject_kind and subject_id come together',
  });

/** Warnings about the requested capsules. */
export const RetrieveWarning = z.enum([
  'continuity_stale_soft',
  'continuity_stale_hard',
  'continuity_expired',
  'continuity_degraded',
  'continuity_conflicted',
  'continuity_unhealthy_omitted',
  'continuity_capsule_truncated_to_zero',
  'continuity_salience_omitted',
]);

/** A capsule, whole or trimmed, with how it was found beside its own fields. */
export const RetrievedCapsule = z.looseObject({
  source_state: SourceState,
  trust_signals: z.union([TrustSignals, CompactTrustSignals]).nullable(),
  salience: Salience.nullable(),
});

export const ContinuityContext = z.strictObject({
  present: z.boolean(),
  /** The most salient first. */
  capsules: z.array(RetrievedCapsule),
  trust_signals: AggregateTrustSignals.nullable(),
  warnings: z.array(RetrieveWarning),
  fallback_used: z.boolean(),
  recovery_warnings: z.array(RecoveryWarning),
  /** The fields that were left out of each capsule, also if its trust signals have no room for them. */
  trimmed: z.array(z.strictObject({ ...SUBJECT, trimmed_fields: z.array(z.string()) })),
});

/** Why three members of every bundle are empty. */
export const MEMORY_NOTE =
  'core_memory, recent_relevant and open_questions are empty: this server keeps capsules and no general memory';

/** Why a bundle without a subject has no capsule. */
export const SUBJECT_NOTE =
  'no capsule is found by words: name subject_kind and subject_id, or continuity_selectors; list_capsules has them';

export const RetrieveAnswer = z.strictObject({
  ok: z.literal(true),
  bundle: z.strictObject({
    task: z.string(),
    generated_at: z.string(),
    core_memory: z.array(z.never()),
    recent_relevant: z.array(z.never()),
    open_questions: z.array(z.string()),
    token_budget_hint: z.int(),
    time_window_days: z.int(),
    notes: z.array(z.enum([MEMORY_NOTE, SUBJECT_NOTE])),
    continuity_state: ContinuityContext,
    graph_context: GraphContext,
    /** Of a request that names a subject. */
    schedule_context: ScheduleContext.optional(),
  }),
  salience_metadata: SalienceMetadata.nullable(),
  content_kind: ContentKind,
});

export type RetrieveRequest = z.infer<typeof RetrieveRequest>;
export type RetrieveWarning = z.infer<typeof RetrieveWarning>;
export type RetrievedCapsule = z.infer<typeof RetrievedCapsule>;
export type ContinuityContext = z.infer<typeof ContinuityContext>;
export type RetrieveAnswer = z.infer<typeof RetrieveAnswer>;
