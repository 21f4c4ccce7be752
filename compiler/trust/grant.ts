import type { TrustRoot } from '../schema/source/trust-root.ts';
import { gardenId } from '../schema/uri.ts';
import { adminKeys, type Claim } from './approval.ts';
import { sha256 } from './canonical.ts';
import { approvalsIn, consentTo } from './consent.ts';

/** Whether the trust root makes one agent the supervisor of another (§21.4.5); this is not transitive. */
export function supervises({ supervisors = {} }: TrustRoot, supervisor: string, report: string): boolean {
  // an agent may be called `constructor`
  return Object.hasOwn(supervisors, supervisor) && supervisors[supervisor]?.includes(report) === true;
}

/**
 * The claim that must be approved so that one agent may read another's garden (§21.4.4); it lapses if the agent's ID
 * changes.
 */
export function grantClaim(deployment: string, garden: string, agentId: string, reader: string): Claim {
  const digest = sha256(gardenId(deployment, agentId));
  return { deployment, garden, unit: null, kind: 'grant', value: reader, digest, delivery: null };
}

/** Whether a grant is valid, and the period of this verdict; milliseconds since 1970. */
export interface GrantVerdict {
  readonly holds: boolean;
  readonly from: number;
  readonly until: number;
}

/**
 * Judges a grant by the approvals in a garden's files: enough administrators of this root must have approved it, with
 * keys and approvals that have not expired.
 *
 * @param at milliseconds since 1970
 */
export function judgeGrant(
  files: ReadonlyMap<string, Buffer>,
  claim: Claim,
  root: TrustRoot,
  at: number,
): GrantVerdict {
  const now = new Date(at).toISOString();
  const { by, given } = consentTo(claim, approvalsIn(files, root, now), new Set(), now);
  if (by.length < root.thresholds.approval) return { holds: false, from: at, until: Infinity };
  const keys = adminKeys(root).map((keyid) => root.keys[keyid]);
  const ends = [
    ...given.map(({ approval }) => approval.expires),
    ...keys.flatMap((key) => (by.includes(key?.owner ?? '') ? [key?.expires ?? null] : [])),
  ].map((end) => (end === null ? Infinity : Date.parse(end)));
  // valid until the first expiry: then the grant is judged again, because the remaining approvals may be enough
  return { holds: true, from: at, until: Math.min(Infinity, ...ends.filter((end) => end > at)) };
}
