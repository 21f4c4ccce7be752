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
import { sha256 } from './canonical.ts';

/** Who is asking: an agent by the name of its garden, or an administrator by entity URI. */
export type Caller =
  | {
      readonly kind: 'agent';
      /** Empty where the bundle has none for it. */
      readonly garden: string;
      readonly agent_id: string;
      /** Whether it supervises the agent of another garden, or holds a grant for it. */
      readonly mayReadOf: (garden: string) => boolean;
    }
  | { readonly kind: 'admin'; readonly entity: string };

/**
 * §21.4.4, §21.4.5: an agent reads its own garden and the shared one, and those of others where it supervises them or
 * was granted them; administrators read all.
 */
export function mayRead(caller: Caller, garden: string): boolean {
  if (caller.kind === 'admin') return true;
  // who is no agent of the bundle, or none any more, is told nothing of the deployment either
  if (caller.garden === '') return false;
  return garden === SHARED || garden === caller.garden || caller.mayReadOf(garden);
}

/** Everybody who is known to have written a version. */
export function writersOf(version: Pick<FactVersion, 'authored_by' | 'coauthored_by'>): string[] {
  return [version.authored_by, ...(version.coauthored_by ?? [])];
}

/** Whether signatures say who wrote a version: every commit that did is signed with a key of the trust root. */
export function isProven({ signed_by }: Pick<FactVersion, 'signed_by'>): boolean {
  return signed_by !== undefined;
}

/** Who said yes to a claim, and by which approvals. */
export interface Consent {
  readonly by: readonly string[];
  readonly given: readonly GivenApproval[];
}

/**
 * Gathers those who said yes to exactly this, its authors left out: nobody approves their own text.
 *
 * @param authors entity URIs of everybody who wrote what is approved
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

/** §21.3.3 S6: a unit that is prepended was read by the one who says yes, who wrote down what was found. */
export function hasNote({ approval: { kind, note } }: GivenApproval): boolean {
  return kind !== 'force_position' || (note !== null && note.trim() !== '');
}

/** The approvals in a garden's files. One that no longer holds is none: others may be enough without it. */
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

/** What approvals of a fact are held against. */
type Approvable = ClaimedFact & Pick<Fact, 'authored_by' | 'coauthored_by' | 'signed_by' | 'fallback' | 'valid_until'>;

/** Where facts stand, and whom the garden's statement names as the authors of what was approved. */
interface ApprovalContext {
  readonly deployment: string;
  readonly garden: string;
  readonly now: string;
  readonly used: readonly UsedApproval[];
}

/**
 * Checks once more, where it counts, that administrators said yes to every unit that is guaranteed, prepended or
 * widely preloaded (DESIGN §7), and that they did not write it: whoever signs bundles cannot make such a unit alone.
 *
 * @param files the garden's files; its approvals lie below `approvals/`, its legacy files below `files/`
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
  const muted = facts.find((it) => claimed.has(it.name) && it.valid_until !== it.delivery.valid_until);
  // what was approved with its delivery could else be silenced by whoever signs bundles
  if (muted) throw refuse('approval_missing', `${muted.name} ends at another time than was approved`);
  const approvals = approvalsIn(files, root, at.now);
  for (const { claim, fact } of claims) {
    const { names, proven } = authorsTold(at.used, claim, fact);
    if (consentTo(claim, approvals, names, at.now).by.length >= neededUnder(root, proven)) continue;
    const message = `${claim.kind} of ${claim.unit ?? ''} in garden ${claim.garden} lacks an administrator's approval`;
    throw refuse('approval_missing', message, { unit: claim.unit, kind: claim.kind });
  }
}

/** Who wrote a fact by its own word, and what else was approved with it by the statement's: earlier texts, a legacy file. */
function authorsTold(used: readonly UsedApproval[], { unit, kind }: Claim, fact: Approvable) {
  const told = used.filter((it) => it.unit === unit && it.kind === kind);
  const names = new Set([...writersOf(fact), ...told.flatMap((it) => it.authors ?? [])]);
  return { names, proven: isProven(fact) && told.every((it) => it.unproven !== true) };
}

/** Of the bytes themselves: a file that is missing would be served as an empty text. */
function legacyDigest({ fallback }: Pick<Fact, 'fallback'>, files: ReadonlyMap<string, Buffer>): string | null {
  return fallback && sha256(files.get(`files/${fallback.path}`) ?? '');
}
