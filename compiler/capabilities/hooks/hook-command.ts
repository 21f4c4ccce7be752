import { shellWord } from '../../schema/shell-word.ts';

/** A hook's command line: every path is absolute, and outside of every worktree. */
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
  /** The file of settings that the hook itself stands in. */
  readonly settings: string;
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
 * The hook that starts the gate. A host takes any exit code but 2 as permission to go on, so the shell turns a gate
 * that cannot be started into an exit code of 2; `onFailure` does the same for a gate that takes too long, if the host
 * knows it. Variables with which the environment would load code into Node are left out.
 */
export function hookFor({ node, gate, tasks, key, root, worktrees, settings }: HookLine): Hook {
  const pins = ['--tasks', shellWord(tasks), '--orchestrator', key, '--root', root];
  const places = ['--worktrees', shellWord(worktrees), '--settings', shellWord(settings)];
  const run = ['NODE_OPTIONS=', 'NODE_PATH=', shellWord(node), shellWord(gate), ...pins, ...places].join(' ');
  const missing =
    "{ [ $? = 2 ] || echo 'vade: the gate did not run; a person has to run vade capability install' >&2; exit 2; }";
  return { type: 'command', command: `${run} || ${missing}`, timeout: TIMEOUT, onFailure: 'block' };
}

/** The command line of a `WorktreeCreate` hook, with fields as in a `HookLine`. */
export interface WorktreeLine extends Pick<HookLine, 'key' | 'node' | 'tasks'> {
  /** The file that runs `vade`. */
  readonly vade: string;
}

/** Making sure of a worktree opens the ledger and the bundle's keys: no more than this. */
const WORKTREE_TIMEOUT = 60;

/**
 * The hook that gives the host the worktree of a spawned agent. Any failure fails the agent's start, on purpose: it
 * must not work in a worktree that nothing binds it to.
 */
export function worktreeHookFor({ node, vade, tasks, key }: WorktreeLine): Hook {
  const pins = ['--tasks', shellWord(tasks), '--orchestrator', key];
  const words = ['NODE_OPTIONS=', 'NODE_PATH=', shellWord(node), shellWord(vade), 'task', 'worktree', ...pins];
  const command = words.join(' ');
  return { type: 'command', command, timeout: WORKTREE_TIMEOUT, onFailure: 'block' };
}

const WORD = `'((?:[^']|'\\\\'')*)'`;
const OURS = new RegExp(`vade-gate\\.cjs' --tasks ${WORD} .*--worktrees ${WORD}`);
const GIVING = new RegExp(` task worktree --tasks ${WORD} --orchestrator `);
const WHOLE = new RegExp(
  `^NODE_OPTIONS= NODE_PATH= ${WORD} ${WORD} --tasks ${WORD} --orchestrator ([0-9a-f]{64}) --root ([0-9a-f]{64}) --worktrees ${WORD} --settings ${WORD} `,
);
const WHOLE_GIVING = new RegExp(
  `^NODE_OPTIONS= NODE_PATH= ${WORD} ${WORD} task worktree --tasks ${WORD} --orchestrator ([0-9a-f]{64})$`,
);

/** The folder of tasks that a command names, if it starts a gate or gives worktrees; null for every other hook. */
export function tasksOfCommand(command: unknown): string | null {
  const [, tasks] = typeof command === 'string' ? (OURS.exec(command) ?? GIVING.exec(command) ?? []) : [];
  return tasks === undefined ? null : plain(tasks);
}

/** Reads a command that is, to the letter, the one that `hookFor` makes; null for every other. */
export function readHookCommand(command: string): HookLine | null {
  const [, node = '', gate = '', tasks = '', key = '', root = '', ...places] = WHOLE.exec(command) ?? [];
  const [worktrees = '', settings = ''] = places.map(plain);
  const line = { node: plain(node), gate: plain(gate), tasks: plain(tasks), key, root, worktrees, settings };
  return hookFor(line).command === command ? line : null;
}

/** Reads a command that is, to the letter, the one that `worktreeHookFor` makes; null for every other. */
export function readWorktreeCommand(command: string): WorktreeLine | null {
  const [, node = '', vade = '', tasks = '', key = ''] = WHOLE_GIVING.exec(command) ?? [];
  const line = { node: plain(node), vade: plain(vade), tasks: plain(tasks), key };
  return worktreeHookFor(line).command === command ? line : null;
}

function plain(word: string): string {
  return word.replaceAll(`'\\''`, "'");
}
