import { VadeError } from './errors.ts';

/**
 * Why a bundle, a statement or a trust root is not believed. Every `bundle_unverified` carries one of these as
 * `details.reason`.
 */
export const REFUSALS = {
  approval_missing: 'a unit is guaranteed, prepended or preloaded more than an administrator said yes to',
  certificate_mismatch: 'the coverage certificate is of another index, model, generator or triggers',
  digest_mismatch: 'the bytes are not those that were signed',
  envelope_malformed: 'not a DSSE envelope',
  file_missing: 'a file that was signed is not there',
  file_unexpected: 'a file is there that was not signed',
  file_unreadable: 'a file cannot be read, or is larger than anything that is read',
  format_unknown: 'a format that this version does not read',
  key_expired: 'a key signed whose time is over',
  key_unknown: 'no key of the trust root for this purpose signed',
  not_fresh: 'the freshness statement is missing or over',
  payload_type_wrong: 'the envelope holds another kind of payload',
  recertification_overdue: 'the coverage gate was passed by, and the date to certify again is over',
  serial_forked: 'another bundle of the same serial was accepted before',
  serial_lower: 'a newer bundle was accepted before',
  signatures_missing: 'fewer signatures hold than the trust root asks for',
  statement_misplaced: 'a signed statement for another deployment or garden',
  trust_broken: 'a trust root does not follow from the one before',
  trust_expired: 'the trust root is not in force at this time',
  trust_mismatch: 'a trust root is not the one handed in from outside',
  trust_skipped: 'a version is missing in the chain of trust roots',
  withdrawals_full: 'the list of withdrawals takes no more records',
  withdrawals_missing: 'the list of withdrawals lacks some that a signed freshness statement names',
} as const;

export type Refusal = keyof typeof REFUSALS;

/** A refusal to believe something; `message` says what. */
export function refuse(reason: Refusal, message: string, details: Readonly<Record<string, unknown>> = {}): VadeError {
  return new VadeError('bundle_unverified', message, { reason, ...details });
}

/** Why something is not believed, in one word: a reason of `REFUSALS`, else an error code; never a path or a text. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof VadeError)) return 'internal';
  return typeof error.details['reason'] === 'string' ? error.details['reason'] : error.code;
}
