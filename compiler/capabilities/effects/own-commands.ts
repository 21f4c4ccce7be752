import type { Invocation } from '../shell/command.ts';
import { isKnown, type Field } from '../shell/field.ts';
import { READING } from '../shell/plain-programs.ts';

/** Commands of vade that write what guards or judges agents, or what they are told; some only with a flag. */
const COMMANDS: readonly string[] = [
  'approve',
  'archive --write',
  'audit erase',
  'audit retain',
  'brief take',
  'capability add',
  'capability install',
  'capability uninstall',
  'connect --yes',
  'continuity archive',
  'continuity purge',
  'export',
  'freshen',
  'init',
  'key create',
  'key revoke',
  'lint --fix',
  'migrate --write',
  'model pin',
  'publish',
  'rollback',
  'shadow --attest',
  'task bypass',
  'task clean',
  'task compose',
  'task explain',
  'task revoke',
  'task run',
  'task spawn',
  'task verify',
  'task worktree',
  'trust draft',
  'trust keygen',
  'trust sign',
  'withdraw',
  'workflows',
];
const OPERATIONS = COMMANDS.map((it) => ({
  words: it.split(' ').filter((word) => !word.startsWith('--')),
  flag: /--[a-z]+/.exec(it)?.[0] ?? null,
}));
/** Two words that are a command of vade and of nothing else: a copy of it may have any name. */
const ANYWHERE = OPERATIONS.filter(({ words: [first] }) => first === 'capability');

/** vade by its name, with a version behind it or the ending of a file; or its entry, as Node is given it. */
const PROGRAM = /(^|\/)node_modules\/vademecum\/.|(^|\/)(vade|vademecum)(@[^/]*|\.\w+)?$|(^|\/)cli\/main\.[cm]?[jt]s$/i;
const QUESTION = /^(--dry-run|--help|-h)$/;

/** The command of vade that a program is, however it is started; null if it changes nothing that guards. */
export function ownCommandOf({ name, words }: Invocation): string | null {
  if (READING.has(name) || words.some((it) => QUESTION.test(it))) return null;
  const at = words.findIndex((it) => PROGRAM.test(it));
  const found =
    (at < 0 ? undefined : OPERATIONS.find((it) => leadsTo(it, words.slice(at + 1)))) ??
    ANYWHERE.find((it) => words.some((_, from) => it.words.every((word, n) => words[from + n] === word)));
  return found === undefined ? null : `vade ${found.words.join(' ')}`;
}

/** Whether words are a command: options and their values may stand before, between and after its words. */
function leadsTo({ words, flag }: (typeof OPERATIONS)[number], args: readonly Field[]): boolean {
  let met = 0;
  for (const [at, it] of args.entries()) {
    if (met === words.length) break;
    if (it.startsWith('-')) continue;
    // a word that only the shell knows may be any
    if (it === words[met] || !isKnown(it)) met++;
    else if (!/^-[^=]*$/.test(args[at - 1] ?? '')) return false;
  }
  const isGiven = flag === null || args.some((it) => it === flag || it.startsWith(`${flag}=`) || !isKnown(it));
  return met === words.length && isGiven;
}
