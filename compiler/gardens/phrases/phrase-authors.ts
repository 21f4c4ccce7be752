import type { Attribute } from '../../history/attribution.ts';
import type { Commit, TreeFile } from '../../schema/source/sources.ts';
import { sha256 } from '../../trust/canonical.ts';
import type { Authors, Needed } from '../approvals/needed.ts';
import type { FiledConsent } from '../approvals/read-decisions.ts';
import { unsettled, type Approvable } from '../approvals/unsettled.ts';

/**
 * The digest of a phrase file that an approval of phrases keeps, so that later states can find the last approved one:
 * sha256 of the file's ID in git. Its text need not be read for that.
 */
export function phraseFileDigest({ blob }: Pick<TreeFile, 'blob'>): string {
  return sha256(blob);
}

/**
 * All authors of a phrase file: of its present state, and of earlier ones back to the last that other people approved.
 *
 * @param given the approvals of one unit's phrases
 */
export function phraseAuthors(
  { commits, attribute }: { readonly commits: readonly Commit[]; readonly attribute: Attribute },
  path: string,
  given: readonly FiledConsent[],
  needed: Needed,
): Authors {
  const states = commits.flatMap((commit) =>
    commit.changes.flatMap((change): Approvable[] => {
      if (change.path !== path || change.blob === null) return [];
      const digest = phraseFileDigest({ blob: change.blob });
      const { writers, vouch } = attribute(commit, change);
      return [{ writers, proven: vouch !== undefined, isMeant: (it) => it.source_digest === digest }];
    }),
  );
  const open = unsettled(states, given, needed);
  return { names: new Set(open.flatMap(({ writers }) => writers)), proven: open.every(({ proven }) => proven) };
}
