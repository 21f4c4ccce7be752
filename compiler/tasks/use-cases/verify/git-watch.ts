import { join } from 'node:path';
import type { GitChange, GitState } from '../../schema/git-state.ts';
import type { LedgerRow } from '../../schema/ledger-row.ts';
import { gitChanges, newNames } from '../../verify/compare-git-states.ts';
import { adminOf, unexplained, type MainStep } from '../../verify/explained.ts';
import type { PrivateGit } from '../../worktree/private-git.ts';
import { readGitState } from '../../worktree/read-git-state.ts';
import type { SpawnedAgent } from './spawned-agent.ts';

/** The state of `.git` now, against what it was when an agent was started. */
export interface Watched {
  readonly state: GitState;
  /** Changes that no row of the ledger explains; `own` marks those in the part that belongs to the agent's worktree. */
  readonly changes: readonly (GitChange & { readonly own: boolean })[];
  /** Unknown names that were not there before. */
  readonly newNames: readonly string[];
}

/** Compares `.git` with what it was at a spawn. @param rows those since then, sealed @throws repository_unreadable */
export async function watchGit(
  git: PrivateGit,
  common: string,
  { spawn, state: before }: SpawnedAgent,
  rows: readonly LedgerRow[],
): Promise<Watched> {
  const state = readGitState(common);
  const all = await beyondCaches(git, common, gitChanges(before, state));
  const ref = mainRef(before);
  const moved = all.find((it) => it.path === ref);
  const steps = moved === undefined ? [] : await stepsOf(git, moved);
  const admin = adminOf(before, spawn.worktree);
  const changes = unexplained(all, { before, rows, main: { ref, steps } });
  return {
    state,
    changes: changes.map((it) => ({ ...it, own: admin !== null && it.path.startsWith(`${admin}/`) })),
    newNames: newNames(before, state),
  };
}

/** Caches of objects, with the arguments by which git compares one with the objects themselves. */
const CACHES: readonly (readonly [RegExp, (objects: string) => string[]])[] = [
  [/^objects\/info\/commit-graphs?(\/|$)/, (objects) => ['commit-graph', 'verify', `--object-dir=${objects}`]],
  [/^objects\/pack\/multi-pack-index/, (objects) => ['multi-pack-index', `--object-dir=${objects}`, 'verify']],
];

/** Without changes of caches that are true: `git gc` and `git maintenance` write them anew. */
async function beyondCaches(git: PrivateGit, common: string, changes: readonly GitChange[]): Promise<GitChange[]> {
  let left = [...changes];
  for (const [paths, argumentsFor] of CACHES) {
    if (!left.some((it) => paths.test(it.path))) continue;
    const isTrue = await git.run(argumentsFor(join(common, 'objects'))).then(
      () => true,
      () => false,
    );
    if (isTrue) left = left.filter((it) => !paths.test(it.path));
  }
  return left;
}

/**
 * The branch that work is merged into: the one that the main working tree had checked out when the agent was started.
 */
export function mainRef({ entries }: GitState): string {
  return /^text ref: (refs\/heads\/.+)$/.exec(entries['HEAD'] ?? '')?.[1] ?? 'HEAD';
}

/** The commit that an entry of the state names; null if it names none. */
export function commitIn({ entries }: GitState, ref: string): string | null {
  return commitOf(entries[ref] ?? null);
}

function commitOf(value: string | null): string | null {
  return /^text ([0-9a-f]{40,64})$/.exec(value ?? '')?.[1] ?? null;
}

/** More steps than this are not followed: somebody explains them. */
const MOST_STEPS = 10_000;

/** The first-parent history of main since the spawn, oldest first; none if it does not lead there. */
async function stepsOf(git: PrivateGit, moved: GitChange): Promise<MainStep[]> {
  const from = commitOf(moved.before);
  const to = commitOf(moved.after);
  if (from === null || to === null) return [];
  const args = ['log', '--first-parent', `--max-count=${MOST_STEPS}`, '--format=%H %T %P', to, `^${from}`];
  const lines = (await git.text(args).catch(() => '')).split('\n').filter((it) => it !== '');
  return lines.reverse().map((line) => {
    const [commit = '', tree = '', parent = ''] = line.split(' ');
    return { commit, tree, parent };
  });
}
