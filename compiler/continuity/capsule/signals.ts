import { ITEMS } from '../schema/limits.ts';
import type { VerificationSignal } from '../schema/verification.ts';
import { SignalKind, type VerificationStatus } from '../schema/words.ts';
import { clockFaults } from './clock.ts';
import type { Fault } from './refusals.ts';

/** The verification status of a capsule once a signal of each kind has confirmed it. */
export const CONFIRMED: Readonly<Record<SignalKind, VerificationStatus>> = {
  self_review: 'self_attested',
  external_observation: 'externally_supported',
  peer_confirmation: 'peer_confirmed',
  user_confirmation: 'user_confirmed',
  system_check: 'system_confirmed',
};

/** Of signals that were observed in the future. */
export function signalFaults(signals: readonly VerificationSignal[], now: number): readonly Fault[] {
  return signals.flatMap(({ observed_at }, at) => clockFaults(observed_at, `signals.${at}.observed_at`, now));
}

/** The strongest kind among signals; a schema makes sure that there is one. */
export function strongestOf(signals: readonly VerificationSignal[]): SignalKind {
  const strengths = signals.map(({ kind }) => SignalKind.options.indexOf(kind));
  return SignalKind.options[Math.max(0, ...strengths)] ?? 'self_review';
}

/** The sources of the signals: the first ones, as many as a capsule keeps. */
export function evidenceOf(signals: readonly VerificationSignal[]): string[] {
  return signals.slice(0, ITEMS['verification_state.evidence_refs']).map(({ source_ref }) => source_ref);
}
