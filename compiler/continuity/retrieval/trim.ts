import { fit } from '../../budget/fit-by-steps.ts';
import { compactSignals } from '../capsule/trust-signals.ts';
import type { Capsule } from '../schema/capsule.ts';
import type { RetrievedCapsule } from '../schema/reading/retrieve.ts';
import type { Salience } from '../schema/salience.ts';
import type { TrustSignals } from '../schema/trust-signals.ts';
import type { SourceState } from '../schema/words.ts';
import type { Need } from './shares.ts';
import { tokensOf } from './tokens.ts';
import { fieldNames, ladderOf, type Trimmed } from './trim-ladder.ts';

/** A capsule that is to be returned, with the values beside its own fields. */
export interface CapsuleCandidate {
  readonly capsule: Capsule;
  readonly source_state: SourceState;
  readonly salience: Salience;
  readonly signals: TrustSignals;
}

/** The returned part of a capsule, and the fields that were left out. */
export interface TrimResult {
  readonly entry: RetrievedCapsule;
  readonly trimmed_fields: readonly string[];
}

/** The tokens that a capsule takes whole, and trimmed as far as it can be. */
export function needOf(candidate: CapsuleCandidate): Need {
  const steps = ladderOf(candidate.capsule);
  const smallest = steps.reduce((it, step) => step.trim(it), wholeOf(candidate));
  const most = tokensOf(render(candidate, wholeOf(candidate), []));
  return { least: Math.min(most, tokensOf(render(candidate, smallest, []))), most };
}

/**
 * A capsule within a share of the budget: whole, or after the fewest steps of the ladder; null if even the last one
 * leaves too much. A larger share never brings less of any field.
 */
export function trim(candidate: CapsuleCandidate, share: number): TrimResult | null {
  const whole = wholeOf(candidate);
  if (tokensOf(render(candidate, whole, [])) <= share)
    return { entry: render(candidate, whole, []), trimmed_fields: [] };
  const steps = ladderOf(candidate.capsule);
  // every name that may come is charged from the first step on, so that no step makes a capsule larger
  const names = fieldNames(steps.map((it) => it.field));
  const { value, size, trimmed_fields } = fit(whole, steps, share, (it) => tokensOf(render(candidate, it, names)));
  if (size > share) return null;
  const left = fieldNames(trimmed_fields);
  return { entry: render(candidate, value, left), trimmed_fields: left };
}

function wholeOf({ capsule }: CapsuleCandidate): Trimmed {
  return { capsule, trust: 'full', hasSalience: true };
}

function render(
  candidate: CapsuleCandidate,
  { capsule, trust, hasSalience }: Trimmed,
  names: readonly string[],
): RetrievedCapsule {
  return {
    source_state: candidate.source_state,
    trust_signals: signalsIn(candidate, trust, names),
    salience: hasSalience ? candidate.salience : null,
    ...capsule,
  };
}

function signalsIn(
  { signals }: CapsuleCandidate,
  trust: Trimmed['trust'],
  names: readonly string[],
): RetrievedCapsule['trust_signals'] {
  if (trust === 'none') return null;
  const trimmed = { trimmed: names.length > 0, trimmed_fields: [...names] };
  const told = { ...signals, completeness: { ...signals.completeness, ...trimmed } };
  return trust === 'full' ? told : compactSignals(told);
}
