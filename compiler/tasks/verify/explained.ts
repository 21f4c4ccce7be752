import type { GitChange, GitState } from '../schema/git-state.ts';
import type { LedgerRow } from '../schema/ledger-row.ts';
import { VerifyReport } from '../schema/verify-report.ts';

/** One entry of `.git` that went from one value to another, for a reason that the ledger has. */
interface Transition {
  readonly path: string;
  /** Undefined: whatever it was. */
  readonly before: string | null | undefined;
  readonly after: string | null;
}

/** One commit of main's first-parent history. */
export interface MainStep {
  readonly parent: string;
  readonly commit: string;
  readonly tree: string;
}

/** The facts with which the ledger can explain changes. */
export interface Explaining {
  /** `.git` when the agent was started. */
  readonly before: GitState;
  /** Rows since the agent was started, oldest first, each sealed by the orchestrator. */
  readonly rows: readonly LedgerRow[];
  /** The steps of main from its earlier commit to its present one, oldest first. */
  readonly main: { readonly ref: string; readonly steps: readonly MainStep[] };
}

/**
 * The changes that no row of the ledger explains. Explained are: worktrees that were made and removed, main moved to a
 * tree that was judged to hold, and what a person has explained. Anything else may have been done by anybody.
 */
export function unexplained(changes: readonly GitChange[], { before, rows, main }: Explaining): GitChange[] {
  const transitions = [...rows.flatMap((row) => transitionsOf(row, rows, before)), ...mergesOf(rows, main)];
  return changes.filter((it) => !isExplained(it, transitions));
}

/** Whether transitions lead from the first value to the last; each may be used in any order. */
function isExplained({ path, before, after }: GitChange, transitions: readonly Transition[]): boolean {
  const own = transitions.filter((it) => it.path === path || (it.path.endsWith('/') && path.startsWith(it.path)));
  const reached = new Set([before]);
  for (let size = 0; size !== reached.size;) {
    size = reached.size;
    for (const it of own) if (it.before === undefined || reached.has(it.before)) reached.add(it.after);
  }
  return reached.has(after);
}

function transitionsOf(row: LedgerRow, rows: readonly LedgerRow[], before: GitState): Transition[] {
  if (row.kind === 'explanation') return row.changes;
  if (row.kind === 'spawn') return madeBy(stateOf(row.git_state.text), row.worktree);
  if (row.kind !== 'clean') return [];
  // it was started before this agent, or since
  const spawn = rows.find((it) => it.kind === 'spawn' && it.agent_id === row.agent_id);
  const state = spawn?.kind === 'spawn' ? stateOf(spawn.git_state.text) : before;
  const admin = adminOf(state, row.worktree);
  return admin === null ? [] : [{ path: `${admin}/`, before: undefined, after: null }];
}

/** The changes that a spawn has made: the folder of its own worktree, as its own state has it. */
function madeBy(state: GitState, worktree: string): Transition[] {
  const admin = adminOf(state, worktree);
  if (admin === null) return [];
  return Object.entries(state.entries)
    .filter(([path]) => path.startsWith(`${admin}/`))
    .map(([path, after]) => ({ path, before: null, after }));
}

/** The state that a row has, which the orchestrator sealed. */
function stateOf(text: string): GitState {
  return JSON.parse(text) as GitState;
}

const POINTER = /^(worktrees\/[^/]+)\/gitdir$/;

/** The folder of a worktree below the common one, by the pointer that leads to it. */
export function adminOf({ entries }: GitState, worktree: string): string | null {
  for (const [path, value] of Object.entries(entries)) {
    const [, admin] = POINTER.exec(path) ?? [];
    if (admin !== undefined && value === `text ${worktree}/.git`) return admin;
  }
  return null;
}

/** Steps of main to a tree that was judged, on top of exactly the commit that it was judged with. */
function mergesOf(rows: readonly LedgerRow[], { ref, steps }: Explaining['main']): Transition[] {
  const judged = rows.flatMap((row) => {
    if (row.kind !== 'verify' || row.verdict !== 'holds') return [];
    const { main, merge } = VerifyReport.parse(JSON.parse(row.report.text));
    return merge?.tree == null || main.ref !== ref ? [] : [`${main.commit} ${merge.tree}`];
  });
  return steps
    .filter((it) => judged.includes(`${it.parent} ${it.tree}`))
    .map((it) => ({ path: ref, before: `text ${it.parent}`, after: `text ${it.commit}` }));
}
