import type { Authors } from '../../gardens/approvals/needed.ts';
import type { Approval } from '../../schema/source/approval.ts';

/** The subject of an approval, before it is signed. */
export type UnsignedSubject = Omit<Approval, 'note' | 'expires'>;

/** Members of an approval of a whole garden. */
export const WHOLE = { unit: null, delivery: null, source_digest: null };

/** The subject of an approval as the sources have it. */
export interface FoundSubject {
  readonly of: Omit<UnsignedSubject, 'deployment' | 'garden' | 'kind'>;
  readonly authors: Authors;
  /** The minimum of administrators, whatever the trust root says. */
  readonly least?: number;
}
