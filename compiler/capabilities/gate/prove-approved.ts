import type { BoundRole } from '../../schema/capability/binding.ts';
import { canonicalName, canonicalNames } from '../../schema/identity.ts';
import { canonicalBytes } from '../../trust/canonical.ts';
import { openSealed, readKey, sha256 } from './open-sealed.ts';
import { asFields, boundedTexts, fieldOf, flagOf, textOf, textOrNull } from './read-json.ts';
import { isOver, type PinnedRoot } from './read-root.ts';

/** As the schemas name them; a test compares them. */
export const APPROVAL = 'application/vnd.vademecum.approval+json';
export const GARDEN = 'capabilities';
/** As `trust/capability-consent.ts` has it. */
export const LEAST_FOR_BYPASS = 2;

type Fields = Readonly<Record<string, unknown>>;

/** The approvals that a binding carries, and who may not be counted among the approvers. */
export interface BindingConsent {
  readonly authors: readonly string[];
  readonly proven: boolean;
  /** DSSE envelopes. */
  readonly approvals: readonly string[];
}

export function consentOf(value: unknown): BindingConsent {
  const from = asFields(value);
  return {
    authors: boundedTexts(from, 'authors', 1024),
    proven: flagOf(from, 'proven'),
    approvals: boundedTexts(from, 'approvals', 64),
  };
}

/**
 * Proves that administrators of the pinned root approved exactly this role, and separately a bypass that it keeps.
 *
 * @param whole the role with all its fields, as its digest is over all of them
 * @throws if too few did
 */
export function assertApproved(
  whole: unknown,
  role: BoundRole,
  consent: BindingConsent,
  root: PinnedRoot,
  now: number,
): void {
  if (root.development) return;
  const digest = sha256(canonicalBytes(whole));
  const usual = consent.proven ? root.approval : root.unproven;
  const keepsBypass = role.gates.some((it) => it.bypass_env !== null);
  const needed = new Map([
    ['role', usual],
    ...(keepsBypass ? [['bypass', Math.max(usual, LEAST_FOR_BYPASS)] as const] : []),
  ]);
  const authors = canonicalNames(consent.authors);
  for (const [kind, least] of needed) {
    const claim = { deployment: root.deployment, garden: GARDEN, unit: role.role, kind, value: digest, digest };
    const by = new Set(consent.approvals.flatMap((it) => approversOf(it, claim, root, now)));
    const others = [...by].filter((it) => !authors.has(canonicalName(it)));
    if (others.length < least) throw new TypeError(`role ${role.role} has too few valid approvals of kind ${kind}`);
  }
}

/** The administrators who signed an approval of exactly this claim; none if it is about something else. */
function approversOf(text: string, claim: Readonly<Record<string, string>>, root: PinnedRoot, now: number): string[] {
  const { payload, signedBy } = openSealed(Buffer.from(text), APPROVAL);
  const given = asFields(JSON.parse(payload.toString('utf8')));
  const isAbout = Object.entries(claim).every(([name, value]) => textOrNull(given, name) === value);
  if (!isAbout || !isWhole(given) || isOver(textOrNull(given, 'expires'), now)) return [];
  const keys = [...root.admins].map(([id, { pem }]) => [id, () => readKey(pem, id)] as const);
  return signedBy(new Map(keys)).map((id) => root.admins.get(id)?.owner ?? '');
}

/** A bypass says why; an approval of a role is about no legacy file, no model and no delivery. */
function isWhole(given: Fields): boolean {
  const note = textOrNull(given, 'note');
  if (textOf(given, 'kind') === 'bypass' && (note ?? '').trim() === '') return false;
  return fieldOf(given, 'delivery') === null && !Object.hasOwn(given, 'legacy') && !Object.hasOwn(given, 'model');
}
