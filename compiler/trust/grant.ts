import type { TrustRoot } from '../schema/source/trust-root.ts';
import { gardenId } from '../schema/uri.ts';
import { adminKeys, type Claim } from './approval.ts';
import { sha256 } from './canonical.ts';
import { approvalsIn, consentTo } from './consent.ts';

/** Whether the trust root makes one agent the supervisor of another (§21.4.5); reports of reports are none. */
export function supervises({ supervisors = {} }: TrustRoot, supervisor: string, report: string): boolean {
  // an agent may be called `constructor`
  return Object.hasOwn(supervisors, supervisor) && supervisors[supervisor]?.includes(report) === true;
}

/** What has to be approved so that one agent may read another's garden (§21.4.4); it lapses with the agent's id. */
export function grantClaim(deployment: string, garden: string, agentId: string, reader: string): Claim {
  const digest = sha256(gardenId(deployment, agentId));
  return { deployment, garden, unit: null, kind: 'grant', value: reader, digest, delivery: null };
}

/** Whether a grant holds, and from when to when that is so; milliseconds since 1970. */
export interface GrantVerdict {
  readonly holds: boolean;
  readonly from: number;
  readonly until: number;
}

/**
 * Judges a grant by the approvals in a garden's files: enough administrators of this very root said yes, by keys and
 * approvals whose time is not over.
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
  // judged anew at the first end of anything: what is left may be enough
  return { holds: true, from: at, until: Math.min(Infinity, ...ends.filter((end) => end > at)) };
}
