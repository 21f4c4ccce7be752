import type { Fact, FactVersion } from '../schema/bundle/fact.ts';
import { VadeError } from '../schema/errors.ts';
import { canonicalName, canonicalNames } from '../schema/identity.ts';
import { refuse } from '../schema/refusals.ts';
import type { UsedApproval } from '../schema/source/approval.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import { SHARED } from '../schema/uri.ts';
import {
  claimsOf,
  lapseOf,
  neededUnder,
  openApproval,
  type Claim,
  type ClaimedFact,
  type GivenApproval,
} from './approval.ts';
import { byText, sha256 } from './canonical.ts';
import { isKeyExpired } from './dsse.ts';

/** The caller of an operation: an agent by the name of its garden, or an administrator by entity URI. */
export type Caller =
  | {
      readonly kind: 'agent';
      /** Empty if the bundle has no garden for the agent. */
      readonly garden: string;
      readonly agent_id: string;
      /** Whether the agent supervises the agent of another garden, or has a grant for that garden. */
      readonly mayReadOf: (garden: string) => boolean;
    }
  | { readonly kind: 'admin'; readonly entity: string };

/**
 * §21.4.4, §21.4.5: an agent may read its own garden, the shared one, and gardens of agents that it supervises or has
 * a grant for. Administrators may read all.
 */
export function mayRead(caller: Caller, garden: string): boolean {
  if (caller.kind === 'admin') return true;
  // an agent that the bundle does not know, or no longer knows, may not read the shared garden either
  if (caller.garden === '') return false;
  return garden === SHARED || garden === caller.garden || caller.mayReadOf(garden);
}

/** The known authors of a version. */
export function writersOf(version: Pick<FactVersion, 'authored_by' | 'coauthored_by'>): string[] {
  return [version.authored_by, ...(version.coauthored_by ?? [])];
}

/** Whether every commit that wrote a version is signed with a key of the trust root. */
export function isProven({ signed_by }: Pick<FactVersion, 'signed_by'>): boolean {
  return signed_by !== undefined;
}

/** The administrators who approved a claim, and their approvals. */
export interface Consent {
  readonly by: readonly string[];
  readonly given: readonly GivenApproval[];
}

/**
 * Collects the valid approvals of exactly this claim. Authors do not count: nobody approves their own text.
 *
 * @param authors entity URIs of all authors of the approved text
 */
export function consentTo(
  claim: Claim,
  approvals: readonly GivenApproval[],
  authors: ReadonlySet<string>,
  now: string,
): Consent {
  const names = canonicalNames(authors);
  const isOther = (admin: string) => !names.has(canonicalName(admin));
  const given = approvals.filter((it) => lapseOf(it, claim, now) === null && hasNote(it) && it.by.some(isOther));
  const by = new Set(given.flatMap((it) => it.by).filter(isOther));
  return { by: [...by].sort(), given };
}

/**
 * §21.3.3 S6: the approver of a prepended unit must read it and write down the result of that review; who lets a gate
 * be bypassed says why.
 */
export function hasNote({ approval: { kind, note } }: Pick<GivenApproval, 'approval'>): boolean {
  return (kind !== 'force_position' && kind !== 'bypass') || (note !== null && note.trim() !== '');
}

/** The valid approvals in a garden's files. Invalid ones are skipped, because the others may be enough. */
export function approvalsIn(files: ReadonlyMap<string, Buffer>, root: TrustRoot, now: string): GivenApproval[] {
  const envelopes = [...files].filter(([path]) => path.startsWith('approvals/'));
  return envelopes.flatMap(([, bytes]) => {
    try {
      return [openApproval(bytes, root, now)];
    } catch (error) {
      if (error instanceof VadeError) return [];
      throw error;
    }
  });
}

/** The part of a fact that its approvals are checked against. */
type Approvable = ClaimedFact & Pick<Fact, 'authored_by' | 'coauthored_by' | 'signed_by' | 'fallback' | 'valid_until'>;

/** The garden of the facts, and the authors that its statement names for approved texts. */
interface ApprovalContext {
  readonly deployment: string;
  readonly garden: string;
  readonly now: string;
  readonly used: readonly UsedApproval[];
}

/**
 * Checks on the server that administrators other than the authors approved every unit that is guaranteed, prepended or
 * widely preloaded (DESIGN §7): the holder of the bundle key cannot make such a unit alone.
 *
 * @param files the garden's files; approvals are in `approvals/`, legacy files in `files/`
 * @throws bundle_unverified: approval_missing
 */
export function assertApproved(
  at: ApprovalContext,
  facts: readonly Approvable[],
  files: ReadonlyMap<string, Buffer>,
  root: TrustRoot,
): void {
  const claims = facts.flatMap((fact) =>
    claimsOf(at.deployment, at.garden, fact, legacyDigest(fact, files)).map((claim) => ({ claim, fact })),
  );
  if (root.development === true || claims.length === 0) return;
  const claimed = new Set(claims.map(({ claim }) => claim.unit));
  const altered = facts.find((it) => claimed.has(it.name) && it.valid_until !== it.delivery.valid_until);
  // without this check, the holder of the bundle key could let an approved unit expire
  if (altered) throw refuse('approval_missing', `valid_until of ${altered.name} differs from the approved one`);
  const approvals = approvalsIn(files, root, at.now);
  for (const { claim, fact } of claims) {
    const { names, proven } = authorsOf(at.used, claim, fact);
    if (consentTo(claim, approvals, names, at.now).by.length >= neededUnder(root, proven)) continue;
    const message = `${claim.kind} of ${claim.unit ?? ''} in garden ${claim.garden} lacks an administrator's approval`;
    throw refuse('approval_missing', message, { unit: claim.unit, kind: claim.kind });
  }
}

/** The authors that a fact names, and those that the statement names for earlier texts and a legacy file. */
function authorsOf(used: readonly UsedApproval[], { unit, kind }: Claim, fact: Approvable) {
  const own = used.filter((it) => it.unit === unit && it.kind === kind);
  const names = new Set([...writersOf(fact), ...own.flatMap((it) => it.authors ?? [])]);
  return { names, proven: isProven(fact) && own.every((it) => it.unproven !== true) };
}

/** The digest of the file's bytes; a missing file would be served as an empty text. */
function legacyDigest({ fallback }: Pick<Fact, 'fallback'>, files: ReadonlyMap<string, Buffer>): string | null {
  return fallback && sha256(files.get(`files/${fallback.path}`) ?? '');
}

/**
 * The approvers whose every key has expired. A compile counts their approvals by the time of its commit; a reader
 * counts them by its own time, and refuses the bundle.
 *
 * @param approvers entity URIs, from the statements of a bundle
 * @param now ISO 8601
 * @returns entity URIs, sorted
 */
export function expiredApprovers(approvers: Iterable<string>, root: TrustRoot, now: string): string[] {
  const ids = Object.keys(root.keys);
  const hasExpired = (approver: string) => {
    const own = ids.filter((id) => root.keys[id]?.owner === approver);
    return own.length > 0 && own.every((id) => isKeyExpired(root, id, now));
  };
  return [...new Set(approvers)].filter(hasExpired).sort(byText);
}
