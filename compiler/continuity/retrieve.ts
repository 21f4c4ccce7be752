import { BUNDLE, SELECTORS, TOKENS } from '../schema/continuity/limits.ts';
import type {
  ContinuityContext,
  RetrieveAnswer,
  RetrievedCapsule,
  RetrieveRequest,
  RetrieveWarning,
} from '../schema/continuity/retrieve.ts';
import type { RecoveryWarning } from '../schema/continuity/warnings.ts';
import { VadeError } from '../schema/errors.ts';
import { timeOf } from './capsule/clock.ts';
import { invalid } from './capsule/refusals.ts';
import { salienceMetadata } from './capsule/salience.ts';
import { aggregateSignals } from './capsule/trust-signals.ts';
import { candidatesOf, type Found } from './retrieval/candidates.ts';
import { sharesOf } from './retrieval/shares.ts';
import { needOf, trim, type Candidate } from './retrieval/trim.ts';
import type { Subject } from './stored/subject.ts';

/** When a retrieval happens, and how the trust of all capsules is summed up. */
export interface RetrieveOccasion {
  readonly now: number;
  readonly aggregate?: typeof aggregateSignals;
}

const NOTES = ['core_memory and recent_relevant are empty: this server keeps capsules and no general memory'];

/** The subjects that a retrieval asks for, each once: that of the request first, then its selectors. */
function requestedBy({ subject_kind, subject_id, continuity_selectors, continuity_mode }: RetrieveRequest): Subject[] {
  if (continuity_mode === 'off') return [];
  const primary = subject_kind && subject_id ? [{ subject_kind, subject_id }] : [];
  const all = [...primary, ...(continuity_selectors ?? [])];
  return [...new Map(all.map((it) => [`${it.subject_kind}:${it.subject_id}`, it])).values()];
}

/** Those of them that are looked up: the first ones, as many as `continuity_max_capsules` says. */
export function selectorsOf(request: RetrieveRequest): Subject[] {
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
  found: readonly Found[],
  { now, aggregate = aggregateSignals }: RetrieveOccasion,
): RetrieveAnswer {
  const budget = request.max_tokens_estimate ?? TOKENS.default;
  const requested = requestedBy(request).length;
  const chosen = candidatesOf(request, found, now);
  const { capsules, returned, trimmed, ...fitted } = fitAll(chosen.candidates, budget);
  const trust = aggregateOf(capsules, requested, aggregate);
  const context: ContinuityContext = {
    present: capsules.length > 0,
    capsules,
    trust_signals: trust.signals,
    warnings: [...new Set([...chosen.warnings, ...fitted.warnings])],
    fallback_used: capsules.some((it) => it.source_state === 'fallback'),
    recovery_warnings: [...new Set([...chosen.recovery_warnings, ...fitted.recovery_warnings, ...trust.warnings])],
    trimmed,
  };
  if (request.continuity_mode === 'required') checkPresent(context, requested);
  return answerOf(request, budget, context, returned, now);
}

function answerOf(
  { task, time_window_days }: RetrieveRequest,
  budget: number,
  continuity_state: ContinuityContext,
  returned: readonly Candidate[],
  now: number,
): RetrieveAnswer {
  return {
    ok: true,
    bundle: {
      task,
      generated_at: timeOf(now),
      core_memory: [],
      recent_relevant: [],
      open_questions: [],
      token_budget_hint: budget,
      time_window_days: time_window_days ?? BUNDLE.time_window_days.default,
      notes: NOTES,
      continuity_state,
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
  readonly returned: readonly Candidate[];
  readonly trimmed: ContinuityContext['trimmed'];
  readonly warnings: readonly RetrieveWarning[];
  readonly recovery_warnings: readonly RecoveryWarning[];
}

/** The capsules within the budget. One that has no room at all is left out, and nobody gets its share. */
function fitAll(candidates: readonly Candidate[], budget: number): FittedAll {
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
