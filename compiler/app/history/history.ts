import type { OpenBundle } from '../../io/bundle/open-bundle.ts';
import type { FactVersion } from '../../schema/bundle/fact.ts';
import type { UsedApproval } from '../../schema/source/approval.ts';

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
