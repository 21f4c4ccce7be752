import type { OpenBundle } from '../../io/bundle/open-bundle.ts';
import type { FactVersion } from '../../schema/bundle/fact.ts';
import type { UsedApproval } from '../../schema/source/approval.ts';
import { isWithdrawn } from '../../trust/withdrawal.ts';

/** One version of a unit, an atom or a role, without its text. */
export type SourceVersion = Omit<FactVersion, 'content' | 'file' | 'source_digest'>;

/** A version's text, and who brought it. */
type TextVersion = Pick<FactVersion, 'version' | 'content' | 'commit' | 'authored_by' | 'coauthored_by' | 'withheld'>;

/** The verified history of a unit, an atom or a role in a bundle. */
export interface SourceHistory {
  readonly bundle: OpenBundle;
  /** Every version, oldest first. */
  readonly versions: readonly SourceVersion[];
  /** Null if it is deleted or quarantined. */
  readonly inForce: SourceVersion | null;
  /** Of the version in force. */
  readonly approvals: readonly UsedApproval[];
  /** Its files: one, or the two of an atom. */
  readonly files: readonly { readonly file: string; readonly versions: readonly TextVersion[] }[];
}

/** A version as `vade log` lists it: who wrote, signed and approved it, and whether it is in force. */
export function versionEntry(it: SourceVersion, { inForce, approvals }: SourceHistory, withdrawn: ReadonlySet<string>) {
  const withheld = it.withheld ?? (isWithdrawn(withdrawn, it) ? 'withdrawn' : null);
  const current = inForce?.uri === it.uri;
  const used = current ? approvals : [];
  return {
    version: it.version,
    uri: it.uri,
    in_force: current && withheld === null,
    created_at: it.created_at,
    valid_until: it.valid_until,
    authored_by: it.authored_by,
    coauthored_by: [...(it.coauthored_by ?? [])],
    signed_by: it.signed_by ?? null,
    approved_by: [...(it.approved_by ?? [])],
    approvals: used.map(({ kind, by, note }) => `${kind} by ${by.join(', ')}${note === null ? '' : `: ${note}`}`),
    verified: it.verified,
    source_trust: it.source_trust,
    derived_from: it.derived_from,
    digest: it.digest,
    commit: it.commit,
    withheld,
  };
}
