import { z } from 'zod';
import { Capsule, SubjectId } from './capsule.ts';
import { CapsuleDraft, type Draft } from './draft.ts';
import { CHARACTERS } from './limits.ts';
import { ContinuityState } from './state.ts';
import { text } from './text.ts';
import { RecoveryWarning } from './warnings.ts';
import { Lifecycle, MergeMode, SubjectKind, Transition } from './words.ts';

const { open_loops, top_priorities, active_constraints, stance_summary } = ContinuityState.shape;
const { negative_decisions, session_trajectory, rationale_entries } = ContinuityState.shape;

/** The snapshot that an agent writes at the end of a session. P0 always overrides; P1 overrides unless it is null. */
export const SessionEndSnapshot = z.strictObject({
  open_loops,
  top_priorities,
  active_constraints,
  stance_summary,
  negative_decisions: negative_decisions.unwrap().nullish(),
  session_trajectory: session_trajectory.unwrap().nullish(),
  rationale_entries: rationale_entries.unwrap().nullish(),
});

/** The subject of a request. */
export const SUBJECT = { subject_kind: SubjectKind, subject_id: SubjectId };

export const CommitMessage = text(CHARACTERS.commit_message).nullish();

/** The key that identifies a repeated request. */
export const IdempotencyKey = text(CHARACTERS.idempotency_key, 1).nullish();

const UpsertMembers = z.strictObject({
  ...SUBJECT,
  capsule: CapsuleDraft,
  commit_message: CommitMessage,
  idempotency_key: IdempotencyKey,
  session_end_snapshot: SessionEndSnapshot.nullish(),
  lifecycle_transition: Transition.nullish(),
  superseded_by: text(CHARACTERS['thread_descriptor.superseded_by'], 1).nullish(),
  merge_mode: MergeMode.nullish(),
});

/**
 * Adds every member that a capsule lacks to the issues of a body that is refused anyway: the verb, which would report
 * them, is never called.
 */
export const UpsertRequest = UpsertMembers.superRefine(
  (value, context) => {
    const found = context.issues.map(({ path = [] }) => path.join('.'));
    const lacking = lackingIn(value).filter(({ path }) => !found.includes(path.join('.')));
    for (const { path, message } of lacking) context.addIssue({ code: 'custom', input: undefined, path, message });
  },
  { when: ({ issues }) => issues.length > 0 },
);

/** The members of a whole capsule that were not sent. Untrusted: the body may be anything. */
function lackingIn({ capsule, merge_mode, session_end_snapshot }: Partial<z.output<typeof UpsertMembers>>) {
  if (merge_mode === 'preserve' || !isDraft(capsule)) return [];
  const continuity = { ...(capsule['continuity'] ?? {}), ...session_end_snapshot };
  const { issues = [] } = Capsule.safeParse({ ...capsule, continuity }).error ?? {};
  return issues
    .filter(({ code, path }) => code === 'invalid_type' && path.length <= 2 && isLacking(capsule, continuity, path))
    .map(({ path }) => ({ path: ['capsule', ...path], message: 'is missing' }));
}

function isDraft(value: unknown): value is Draft {
  return typeof value === 'object' && value !== null;
}

function isLacking(capsule: Draft, continuity: Draft, path: readonly PropertyKey[]): boolean {
  const [name, member] = path.map(String);
  const within = name === 'continuity' ? continuity : (capsule[name ?? ''] as Draft | null | undefined);
  return ((member === undefined ? capsule[name ?? ''] : within?.[member]) ?? null) === null;
}

/** The members of every answer to a mutation; the store adds the commit. */
export const WRITTEN = {
  ok: z.literal(true),
  path: z.string(),
  durable: z.literal(true),
  /** The commit that has the change; of an unchanged subject, the newest one of the owner. */
  latest_commit: z.string().nullable(),
  recovery_warnings: z.array(RecoveryWarning),
};

export const UpsertAnswer = z.strictObject({
  ...WRITTEN,
  created: z.boolean(),
  updated: z.boolean(),
  capsule_sha256: z.string(),
  normalizations_applied: z.array(z.string()),
  /** Of a capsule with a thread descriptor. */
  lifecycle: Lifecycle.optional(),
  session_end_snapshot_applied: z.literal(true).optional(),
  resume_quality: z.strictObject({ adequate: z.boolean() }).optional(),
});

export type SessionEndSnapshot = z.infer<typeof SessionEndSnapshot>;
export type UpsertRequest = z.infer<typeof UpsertRequest>;
export type UpsertAnswer = z.infer<typeof UpsertAnswer>;
