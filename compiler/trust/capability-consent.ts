import type { CapabilityFact } from '../schema/bundle/capability-garden.ts';
import type { RoleConsent } from '../schema/capability/binding.ts';
import type { ResolvedRole } from '../schema/capability/resolved-role.ts';
import { refuse } from '../schema/refusals.ts';
import type { ApprovalKind, UsedApproval } from '../schema/source/approval.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import { CAPABILITIES } from '../schema/uri.ts';
import { neededUnder, type Claim } from './approval.ts';
import { byText, canonicalBytes, sha256 } from './canonical.ts';
import { approvalsIn, consentTo, isProven, writersOf } from './consent.ts';

/** Number of administrators who must approve that a role keeps a bypass, whatever the trust root says. */
export const BYPASS_APPROVERS = 2;

/** The digest that administrators approve: any loosened atom changes it. */
export function roleDigest(resolved: ResolvedRole): string {
  return sha256(canonicalBytes(resolved));
}

/** Claims that must be approved so that a role is in force; a bypass that it keeps is approved separately. */
export function roleClaims(deployment: string, resolved: ResolvedRole): Claim[] {
  const digest = roleDigest(resolved);
  const keepsBypass = resolved.gates.some((it) => it.bypass_env !== null);
  const kinds: ApprovalKind[] = keepsBypass ? ['role', 'bypass'] : ['role'];
  return kinds.map((kind) => ({
    deployment,
    garden: CAPABILITIES,
    unit: resolved.role,
    kind,
    value: digest,
    digest,
    delivery: null,
  }));
}

/** Number of administrators that a claim about a role needs. @param usual number that any approval needs */
export function neededForRole(kind: ApprovalKind, usual: number): number {
  return kind === 'bypass' ? Math.max(usual, BYPASS_APPROVERS) : usual;
}

/** The garden of atoms and roles, as far as its approvals are concerned. */
export interface ApprovedGarden {
  readonly deployment: string;
  readonly used: readonly UsedApproval[];
  /** The atoms and roles that the role is resolved from, in force. */
  readonly facts: readonly Pick<CapabilityFact, 'authored_by' | 'coauthored_by' | 'signed_by'>[];
  /** The files of the garden; approvals are in `approvals/`. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/** The approvers of a role, and the proof for a gate that has no bundle. */
export interface ApprovedBy {
  /** Entity URIs; empty under a development root. */
  readonly by: readonly string[];
  readonly consent: RoleConsent;
}

/**
 * Proves once more, from the signed bundle alone, that administrators other than the authors approved a role exactly as
 * it is: whoever holds the key of CI can neither loosen a role nor keep a bypass.
 *
 * @param now ISO 8601
 * @throws bundle_unverified: approval_missing
 */
export function assertRoleApproved(
  garden: ApprovedGarden,
  resolved: ResolvedRole,
  root: TrustRoot,
  now: string,
): ApprovedBy {
  const writers = garden.facts.flatMap(writersOf);
  const approvals = root.development === true ? [] : approvalsIn(garden.files, root, now);
  const claims = root.development === true ? [] : roleClaims(garden.deployment, resolved);
  const agreed = claims.map((claim) => {
    const own = garden.used.filter((it) => it.unit === claim.unit && it.kind === claim.kind);
    const authors = [...writers, ...own.flatMap((it) => it.authors ?? [])];
    const proven = garden.facts.every(isProven) && own.every((it) => it.unproven !== true);
    const { by, given } = consentTo(claim, approvals, new Set(authors), now);
    if (by.length >= neededForRole(claim.kind, neededUnder(root, proven))) return { by, given, authors, proven };
    const message = `${claim.kind} of role ${resolved.role} lacks an administrator's approval of exactly this state`;
    throw refuse('approval_missing', message, { role: resolved.role, kind: claim.kind });
  });
  return {
    by: sorted(agreed.flatMap((it) => it.by)),
    consent: {
      authors: sorted([...writers, ...agreed.flatMap((it) => it.authors)]),
      proven: agreed.every((it) => it.proven),
      approvals: sorted(agreed.flatMap((it) => it.given.map(({ bytes }) => bytes.toString('utf8')))),
    },
  };
}

function sorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort(byText);
}
