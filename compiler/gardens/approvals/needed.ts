import type { AdministratorDecisions } from './read-decisions.ts';

/** The authors of the content to approve, and whether signatures prove them. */
export interface Authors {
  /** Entity URIs. */
  readonly names: ReadonlySet<string>;
  readonly proven: boolean;
}

/** Number of administrators who must approve; `unproven` applies if a commit is not signed. */
export type Needed = Pick<AdministratorDecisions, 'threshold' | 'unproven'>;

export function neededFor({ threshold, unproven }: Needed, proven: boolean): number {
  return proven ? threshold : Math.max(threshold, unproven);
}
