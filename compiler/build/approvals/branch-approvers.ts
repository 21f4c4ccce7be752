import { writersOfCommit, type Register } from '../../history/attribution.ts';
import { diagnostic, type Diagnostic } from '../../schema/diagnostics.ts';
import { canonicalName, canonicalNames } from '../../schema/identity.ts';
import type { BranchCommit } from '../../schema/source/sources.ts';
import { SHARED } from '../../schema/uri.ts';
import { byText } from '../../trust/canonical.ts';
import type { FiledApproval } from './decisions.ts';

/**
 * The commits of a branch that somebody wrote. Filing approvals and merging is no writing.
 *
 * @param entity of an administrator
 * @param folder of the sources
 * @returns ids, oldest first
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
 * Tells approvals that a branch brings, or that are of what it changes, where one who gave them has commits on it:
 * what becomes of the branch when it is squashed or rebased may no longer say who wrote what.
 */
export function checkApprovers(
  approvals: readonly FiledApproval[],
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

/** Which commits somebody has on the branch. */
export function describeApprover(admin: string, commits: readonly string[]): string {
  const shown = commits.slice(-3).map((id) => id.slice(0, 12));
  const more = commits.length > shown.length ? `${commits.length} commits, the last of them ` : '';
  return `${admin} approves it and has commits on this branch: ${more}${shown.join(', ')}`;
}

const HELP = 'see that none of the text is theirs, or have an administrator approve it who has none';

/** Where the unit of an approval stands; nowhere, where a whole garden is meant. */
function unitFile({ approval: { garden, unit } }: FiledApproval, folder: string): string {
  const place = garden === SHARED ? SHARED : `agents/${garden}`;
  return unit === null ? '' : `${folder}/${place}/${unit}.md`;
}
