import { writersOfCommit, type Register } from '../../history/attribution.ts';
import { diagnostic, type Diagnostic } from '../../schema/diagnostics.ts';
import { canonicalName, canonicalNames } from '../../schema/identity.ts';
import type { BranchCommit } from '../../schema/source/sources.ts';
import { SHARED } from '../../schema/uri.ts';
import { byText } from '../../trust/canonical.ts';
import type { FiledConsent } from './read-decisions.ts';

/**
 * The commits of a branch that an administrator wrote. Committing approvals and merging do not count as writing.
 *
 * @param entity of an administrator
 * @param folder of the sources
 * @returns IDs, oldest first
 */
export function writtenBy(
  entity: string,
  branch: readonly BranchCommit[],
  register: Register,
  folder: string,
): string[] {
  const name = canonicalName(entity);
  const writing = branch.filter(({ paths }) => paths.some((path) => !path.startsWith(`${folder}/approvals/`)));
  return writing.filter((it) => canonicalNames(writersOfCommit(register, it)).has(name)).map(({ id }) => id);
}

/**
 * Reports approvals that a branch adds, or whose content it changes, if an approver has commits on the branch: after a
 * squash or a rebase the history may no longer show the authors.
 */
export function checkApprovers(
  approvals: readonly FiledConsent[],
  branch: readonly BranchCommit[],
  register: Register,
  folder: string,
): Diagnostic[] {
  const touched = new Set(branch.flatMap(({ paths }) => paths));
  return approvals
    .filter((it) => touched.has(it.file) || touched.has(unitFile(it, folder)))
    .sort((a, b) => byText(a.file, b.file))
    .flatMap(({ file, by }) =>
      by.flatMap((admin) => {
        const commits = writtenBy(admin, branch, register, folder);
        return commits.length === 0
          ? []
          : [diagnostic('approver_on_branch', file, describeApprover(admin, commits), HELP)];
      }),
    );
}

/** Names an administrator's commits on the branch. */
export function describeApprover(admin: string, commits: readonly string[]): string {
  const shown = commits.slice(-3).map((id) => id.slice(0, 12));
  const more = commits.length > shown.length ? `${commits.length} commits, the last of them ` : '';
  return `${admin} approves it and has commits on this branch: ${more}${shown.join(', ')}`;
}

const HELP =
  'check that the administrator wrote none of the text, or ask an administrator without commits on the branch to approve it';

/** The paths of an approval's unit; empty for a whole garden. */
function unitFile({ approval: { garden, unit } }: FiledConsent, folder: string): string {
  const place = garden === SHARED ? SHARED : `agents/${garden}`;
  return unit === null ? '' : `${folder}/${place}/${unit}.md`;
}
