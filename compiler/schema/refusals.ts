import { VadeError } from './errors.ts';

/**
 * Why a bundle, a statement or a trust root is rejected. Every `bundle_unverified` has one of these as
 * `details.reason`.
 */
export const REFUSALS = {
  approval_missing:
    'a unit is guaranteed, prepended or widely preloaded, or a role is in force, without the approval of an administrator',
  certificate_mismatch: 'the coverage certificate is for another index, model, generator or set of triggers',
  digest_mismatch: 'the bytes differ from the signed ones',
  envelope_malformed: 'not a DSSE envelope',
  file_missing: 'a signed file is missing',
  file_unexpected: 'an unsigned file is present',
  file_unreadable: 'a file cannot be read, or is larger than the limit',
  format_unknown: 'this version cannot read the format',
  key_expired: 'the signing key has expired',
  key_unknown: 'no key of the trust root for this purpose signed it',
  kind_unknown: 'the bundle has a garden of a kind that this version does not know and must not ignore',
  not_fresh: 'the freshness statement is missing or has expired',
  payload_type_wrong: 'the envelope contains another kind of payload',
  recertification_overdue: 'the coverage gate was bypassed, and the deadline for passing it is over',
  serial_forked: 'another bundle with the same serial was accepted before',
  serial_lower: 'a newer bundle was accepted before',
  signatures_missing: 'there are fewer valid signatures than the trust root requires',
  statement_misplaced: 'a signed statement for another deployment or garden',
  trust_broken: 'a trust root is malformed, or not a valid successor of the previous one',
  trust_expired: 'the trust root is not valid at this time',
  trust_lower: 'a newer trust root was accepted before',
  trust_mismatch: 'a trust root differs from the pinned one, or from one accepted before',
  trust_skipped: 'the chain of trust roots lacks a version',
  withdrawals_full: 'the list of withdrawals is full',
  withdrawals_missing: 'the list of withdrawals lacks some that a signed freshness statement names',
} as const;

export type Refusal = keyof typeof REFUSALS;

/** Builds a `bundle_unverified` error for a reason; `message` gives the details. */
export function refuse(reason: Refusal, message: string, details: Readonly<Record<string, unknown>> = {}): VadeError {
  return new VadeError('bundle_unverified', message, { reason, ...details });
}

/** The reason of an error as one word: a reason of `REFUSALS`, else an error code; never a path or a text. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof VadeError)) return 'internal';
  return typeof error.details['reason'] === 'string' ? error.details['reason'] : error.code;
}
