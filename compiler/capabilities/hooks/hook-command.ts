/** What a hook's command line says: all of it absolute, and outside of every worktree. */
export interface HookLine {
  readonly node: string;
  /** `vade-gate.cjs`. */
  readonly gate: string;
  /** `<git-common-dir>/vade`. */
  readonly tasks: string;
  /** Fingerprint of the orchestrator's key. */
  readonly key: string;
  /** Fingerprint of the trust root's file. */
  readonly root: string;
  /** The folder that holds the worktrees of agents. */
  readonly worktrees: string;
}

/** A hook as Claude Code has it; other fields are kept as they are. */
export interface Hook {
  readonly type: string;
  readonly command: string;
  readonly timeout: number;
  readonly onFailure: 'block';
}

/** Seconds; the gate needs less than one. */
const TIMEOUT = 30;

/**
 * The hook that starts the gate. A host takes any exit but 2 for leave to go on, so a gate that cannot be started is made
 * an exit of 2 by the shell; `onFailure` does the same for a gate that takes too long, where the host knows it. What the
 * environment would load into Node is left out.
 */
export function hookFor({ node, gate, tasks, key, root, worktrees }: HookLine): Hook {
  const words = [quoted(node), quoted(gate), '--tasks', quoted(tasks), '--orchestrator', key, '--root', root];
  const run = ['NODE_OPTIONS=', 'NODE_PATH=', ...words, '--worktrees', quoted(worktrees)].join(' ');
  const missing =
    "{ [ $? = 2 ] || echo 'vade: the gate did not run; a person mends it with vade capability install' >&2; exit 2; }";
  return { type: 'command', command: `${run} || ${missing}`, timeout: TIMEOUT, onFailure: 'block' };
}

/** A word that a shell takes literally. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

const WORD = `'((?:[^']|'\\\\'')*)'`;
const OURS = new RegExp(`vade-gate\\.cjs' --tasks ${WORD} .*--worktrees ${WORD}`);

/** The folders that a command names, if it starts a gate; null for every other hook. */
export function readHookCommand(command: unknown): { readonly tasks: string; readonly worktrees: string } | null {
  const [, tasks, worktrees] = typeof command === 'string' ? (OURS.exec(command) ?? []) : [];
  if (tasks === undefined || worktrees === undefined) return null;
  const plain = (word: string) => word.replaceAll(`'\\''`, "'");
  return { tasks: plain(tasks), worktrees: plain(worktrees) };
}
