import { VadeError } from '../schema/errors.ts';
import { timeOf } from './capsule/clock.ts';
import { invalid } from './capsule/refusals.ts';
import { salienceMetadata } from './capsule/salience.ts';
import { aggregateSignals } from './capsule/trust-signals.ts';
import { capsuleCandidatesOf, type HeldSubject } from './retrieval/candidates.ts';
import { sharesOf } from './retrieval/shares.ts';
import { needOf, trim, type CapsuleCandidate } from './retrieval/trim.ts';
import { BUNDLE, SELECTORS, TOKENS } from './schema/limits.ts';
import {
  MEMORY_NOTE,
  SUBJECT_NOTE,
  type ContinuityContext,
  type RetrieveAnswer,
  type RetrievedCapsule,
  type RetrieveRequest,
  type RetrieveWarning,
} from './schema/reading/retrieve.ts';
import type { RecoveryWarning } from './schema/warnings.ts';
import type { StoredSubject } from './stored/subject.ts';

/** The contexts beside the capsules: links of their subjects, and items that are due for them. */
export type Surroundings = Pick<RetrieveAnswer['bundle'], 'graph_context' | 'schedule_context'>;

/** Whether the index that a store reads from is current. */
export type IndexState = 'current' | 'stale' | 'missing';

/** The time of a retrieval, its surroundings, and the function that sums up the trust of all capsules. */
export interface RetrieveOccasion {
  readonly now: number;
  readonly around: Surroundings;
  /** Default: current. */
  readonly index?: IndexState;
  readonly aggregate?: typeof aggregateSignals;
}

/** "When derived search indexes are stale", and "when indexes are missing". */
const INDEX: Readonly<Record<IndexState, readonly RecoveryWarning[]>> = {
  current: [],
  stale: ['continuity_index_stale'],
  missing: ['continuity_index_missing'],
};

/** The requested subjects: none in mode `off`. */
function requestedBy(request: RetrieveRequest): StoredSubject[] {
  return request.continuity_mode === 'off' ? [] : subjectsOf(request);
}

/** The subjects that a retrieval is about, each once: that of the request first, then its selectors. */
export function subjectsOf({ subject_kind, subject_id, continuity_selectors }: RetrieveRequest): StoredSubject[] {
  const primary = subject_kind && subject_id ? [{ subject_kind, subject_id }] : [];
  const all = [...primary, ...(continuity_selectors ?? [])];
  return [...new Map(all.map((it) => [`${it.subject_kind}:${it.subject_id}`, it])).values()];
}

/** The subjects that are looked up: the first ones, as many as `continuity_max_capsules` says. */
export function selectorsOf(request: RetrieveRequest): StoredSubject[] {
  return requestedBy(request).slice(0, request.continuity_max_capsules ?? SELECTORS.default);
}

/**
 * `POST /v1/context/retrieve`: the capsules of the subjects that were asked for, the most salient first, trimmed to the
 * budget.
 *
 * @param found what the store holds of each subject of `selectorsOf`, in that order
 * @throws VadeError in mode `required`: `capsule_invalid` without a subject, `capsule_not_found` if none is returned
 */
export function retrieve(
  request: RetrieveRequest,
  found: readonly HeldSubject[],
  { now, around, index = 'current', aggregate = aggregateSignals }: RetrieveOccasion,
): RetrieveAnswer {
  const budget = request.max_tokens_estimate ?? TOKENS.default;
  const requested = requestedBy(request).length;
  const chosen = capsuleCandidatesOf(request, found, now);
  const { capsules, returned, trimmed, ...fitted } = fitAll(chosen.candidates, budget);
  const trust = aggregateOf(capsules, requested, aggregate);
  const context: ContinuityContext = {
    present: capsules.length > 0,
    capsules,
    trust_signals: trust.signals,
    warnings: [...new Set([...chosen.warnings, ...fitted.warnings])],
    fallback_used: capsules.some((it) => it.source_state === 'fallback'),
    recovery_warnings: [
      ...new Set([...INDEX[index], ...chosen.recovery_warnings, ...fitted.recovery_warnings, ...trust.warnings]),
    ],
    trimmed,
  };
  if (request.continuity_mode === 'required') checkPresent(context, requested);
  return answerOf(request, { token_budget_hint: budget, continuity_state: context, ...around }, returned, now);
}

function answerOf(
  request: RetrieveRequest,
  {
    token_budget_hint,
    ...parts
  }: Surroundings & Pick<RetrieveAnswer['bundle'], 'token_budget_hint' | 'continuity_state'>,
  returned: readonly CapsuleCandidate[],
  now: number,
): RetrieveAnswer {
  const { task, time_window_days } = request;
  return {
    ok: true,
    bundle: {
      task,
      generated_at: timeOf(now),
      core_memory: [],
      recent_relevant: [],
      open_questions: [],
      token_budget_hint,
      time_window_days: time_window_days ?? BUNDLE.time_window_days.default,
      notes: subjectsOf(request).length === 0 ? [MEMORY_NOTE, SUBJECT_NOTE] : [MEMORY_NOTE],
      ...parts,
    },
    salience_metadata: salienceMetadata(returned.map((it) => it.salience)),
    content_kind: 'agent_authored',
  };
}

function checkPresent({ present, warnings, recovery_warnings }: ContinuityContext, requested: number): void {
  if (requested === 0) throw invalid('continuity_selectors', 'continuity_mode required needs a subject');
  if (present) return;
  throw new VadeError('capsule_not_found', 'none of the capsules can be returned', { warnings, recovery_warnings });
}

interface FittedAll {
  readonly capsules: RetrievedCapsule[];
  readonly returned: readonly CapsuleCandidate[];
  readonly trimmed: ContinuityContext['trimmed'];
  readonly warnings: readonly RetrieveWarning[];
  readonly recovery_warnings: readonly RecoveryWarning[];
}

/** The capsules within the budget. One that has no room at all is left out, and no other gets its share. */
function fitAll(candidates: readonly CapsuleCandidate[], budget: number): FittedAll {
  const shares = sharesOf(candidates.map(needOf), budget);
  const tried = candidates.map((it, at) => ({ candidate: it, result: trim(it, shares[at] ?? 0) }));
  const fitted = tried.flatMap(({ candidate, result }) => (result ? [{ candidate, ...result }] : []));
  const warnings: RetrieveWarning[] = [];
  if (fitted.length < candidates.length) warnings.push('continuity_capsule_truncated_to_zero');
  if (fitted.some(({ entry }) => entry.salience === null)) warnings.push('continuity_salience_omitted');
  const isCompact = fitted.some(({ entry }) => entry.trust_signals !== null && 'compact' in entry.trust_signals);
  return {
    capsules: fitted.map(({ entry }) => entry),
    returned: fitted.map(({ candidate }) => candidate),
    trimmed: fitted
      .filter((it) => it.trimmed_fields.length > 0)
      .map(({ candidate: { capsule }, trimmed_fields }) => ({
        subject_kind: capsule.subject_kind,
        subject_id: capsule.subject_id,
        trimmed_fields: [...trimmed_fields],
      })),
    warnings,
    recovery_warnings: isCompact ? ['trust_signals_compact'] : [],
  };
}

/** The trust of all capsules together; that it cannot be summed up is no reason to keep them back. */
function aggregateOf(capsules: readonly RetrievedCapsule[], requested: number, aggregate: typeof aggregateSignals) {
  const signals = capsules.map((it) => it.trust_signals).filter((it) => it !== null);
  try {
    return { signals: aggregate(signals, { requested, returned: capsules.length }), warnings: [] };
  } catch {
    return { signals: null, warnings: ['trust_signals_aggregate_failed' as const] };
  }
}
