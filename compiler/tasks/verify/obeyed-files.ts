import { obeyedAt } from '../../capabilities/paths/obeyed.ts';
import { matchesPath } from '../../capabilities/paths/patterns.ts';
import { failFor, type Work } from '../checks/check-module.ts';
import { nameOf } from '../checks/projects.ts';
import type { CheckFinding } from '../schema/verify-report.ts';

type Tree = Pick<Work, 'changes' | 'files' | 'read' | 'readBefore'>;

/**
 * Changed files that the user's programs would run or obey after the merge, and that the role does not name: the gate
 * cannot see what a script of the agent writes. The removal of such a file counts too.
 *
 * @param allowed globs of the role
 * @param named files and folders that the configuration of git names
 */
export async function obeyedFindings(
  tree: Tree,
  allowed: readonly string[],
  named: readonly string[] = [],
): Promise<CheckFinding[]> {
  const changed = tree.changes.map((it) => it.path).filter((it) => !matchesPath(it, allowed));
  const handbooks = changed.length === 0 ? [] : await handbooksOf(tree);
  const told = changed.flatMap((path) => {
    const what =
      obeyedAt(path) ??
      (named.some((it) => path === it || path.startsWith(`${it}/`)) ? 'named by the configuration of git' : null) ??
      (handbooks.some((it) => path.startsWith(it)) ? 'sources of the handbook' : null);
    return what === null ? [] : [`${path}: ${what}`];
  });
  const { result, reason, detail } = failFor(
    told,
    'files that your programs run or obey changed, and the role does not name them',
  );
  return result === 'pass' ? [] : [{ check: 'obeyed', severity: 'block', result, reason, detail }];
}

const MOST_HANDBOOKS = 64;

/** Folders of handbooks, each with its slash: those with an `org.yaml` of ours, before or after the change. */
async function handbooksOf({ changes, files, read, readBefore }: Tree): Promise<string[]> {
  const all = new Set([...changes.map((it) => it.path), ...(await files())]);
  const found: string[] = [];
  for (const path of [...all].filter((it) => nameOf(it) === 'org.yaml').slice(0, MOST_HANDBOOKS)) {
    const texts = await Promise.all([readBefore(path), read(path)]);
    const isOurs = texts.some((it) => /^deployment:/m.test(it?.toString('utf8') ?? ''));
    if (isOurs) found.push(path.slice(0, -'org.yaml'.length));
  }
  return found;
}
