import { resolve } from 'node:path';
import { deny, NOT_APPLICABLE, unreadable, type ToolCall, type AtomVerdict } from '../atoms/gate-module.ts';
import { isTemporary } from '../atoms/scratch-files.ts';
import { ownCommandOf } from '../effects/own-commands.ts';
import { settingsWrittenBy } from '../effects/settings-commands.ts';
import { FILE_FIELDS, onlyReads } from '../effects/tools.ts';
import { protectionOf, mentionsProtected, takesWorktree, type ProtectedFiles } from '../paths/protected-files.ts';
import { realPath } from '../paths/real-path.ts';
import type { WriteTarget } from '../paths/targets.ts';
import type { Invocation } from '../shell/command.ts';
import { isKnown, STAR, type Field } from '../shell/field.ts';
import { READING } from '../shell/plain-programs.ts';
import { findsIn, SHELLS } from '../shell/started-programs.ts';
import { secondNameOf } from './second-name.ts';

/** Options by which a program leaves files alone; their value may be the next word. */
const EXCLUDES = /^--(exclude|ignore|skip)[\w-]*(=|$)/;
/** Programs that only read, and by which later ones are given what they name. */
const HANDING = new Set(['cd', 'pushd', 'find']);
/** A name that only the shell knows, in a folder of what controls agents. */
const UNNAMED = /\.(claude|git|vade)\/+["']?\$/;
const INSIDE = 'write to your worktree or to a temporary folder';
const INSTEAD = 'do not change it: only a person may change what controls agents';

/** Denies what every bound agent must leave alone, whatever its role's lists say, and input that nobody can read. */
export function denyProtected(call: ToolCall, protectedFiles: ProtectedFiles): AtomVerdict {
  const { command, targets, tool } = call;
  for (const it of targets) {
    const what = protectionOf(it, protectedFiles);
    if (what !== null) return deny(`${it.named} is protected (${what})`, INSTEAD);
    if (takesWorktree(it, call.place.worktree)) return deny(`${it.named} contains the whole worktree`, INSTEAD);
    if (isOutside(it, call.place.worktree)) return deny(`${it.named} is outside the worktree`, INSIDE);
  }
  const linked = secondNameOf(call);
  if (linked !== undefined)
    return deny(
      `${linked.named} has another hard link, and the call would change that file too`,
      'copy the file, and move the copy over it',
    );
  if (command !== null) return judgeCommand(call, protectedFiles);
  if (onlyReads(tool) || FILE_FIELDS.has(tool)) return NOT_APPLICABLE;
  const named = textsIn(call.input).find((it) => mentionsProtected(it, protectedFiles));
  return named === undefined ? NOT_APPLICABLE : deny(`the input of ${tool} names protected files`, INSTEAD);
}

function judgeCommand(call: ToolCall, protectedFiles: ProtectedFiles): AtomVerdict {
  const { command } = call;
  if (command === null) return NOT_APPLICABLE;
  for (const it of command.invocations) {
    const word = touched(it, call, protectedFiles);
    if (word !== undefined) return deny(`${it.name} receives the protected file ${word}`, INSTEAD);
    const own = ownCommandOf(it);
    if (own !== null) return deny(`${own} changes what controls or checks agents`, INSTEAD);
    const settings = settingsWrittenBy(it);
    if (settings !== null) return deny(`${it.words.slice(0, 3).join(' ')} writes ${settings}`, INSTEAD);
  }
  const isBlind = call.targets.some((it) => it.path === null);
  const text = call.input['command'];
  if (isBlind && typeof text === 'string' && (UNNAMED.test(text) || mentionsProtected(text, protectedFiles))) {
    return deny('the gate cannot tell which file would be written', INSTEAD);
  }
  return command.faults.length > 0 ? unreadable(command) : NOT_APPLICABLE;
}

/** Whether a file is neither in the agent's worktree nor a temporary one, whatever its role's lists leave open. */
function isOutside({ path, relative }: WriteTarget, worktree: string): boolean {
  return path !== null && relative === null && !isTemporary(path, worktree);
}

/** Twice the limit of the kernel: a path within the limit, below a folder within the limit. */
const MAX_PATH = 8192;

/** A protected file that is given to a program which is not known to only read it. */
function touched(it: Invocation, call: ToolCall, protectedFiles: ProtectedFiles): Field | undefined {
  if (it.isWrapper || (READING.has(it.name) && !handsOn(it, call))) return undefined;
  if (it.input !== null && mentionsProtected(it.input, protectedFiles)) return 'in its input';
  const args = it.words.slice(1);
  const words = it.name === 'find' ? findsIn(args).folders : args;
  return words.find(
    (word, at) =>
      !EXCLUDES.test(word) &&
      !EXCLUDES.test(words[at - 1] ?? '') &&
      isProtectedWord(word, it.name, call, protectedFiles),
  );
}

/** Whether a program hands what it names on to one that may write it. */
function handsOn({ name }: Invocation, { command }: ToolCall): boolean {
  return HANDING.has(name) && command?.invocations.some((it) => !READING.has(it.name) && !it.isWrapper) === true;
}

function isProtectedWord(word: Field, by: string, call: ToolCall, protectedFiles: ProtectedFiles): boolean {
  const { command, place, disk } = call;
  // a glob may mean a protected name
  if (!isKnown(word.replaceAll(STAR, ''))) return false;
  if (mentionsProtected(word, protectedFiles) && !SHELLS.has(by)) return true;
  const value = word.replace(/^[\w-]+=/, '');
  if (!value.includes('/') && !value.startsWith('.')) return false;
  return (command?.cwds ?? []).some((cwd) => {
    const whole = resolve(isKnown(cwd) ? cwd : place.cwd, value);
    // no file is there, whatever a glob means; a program may still shorten what it is given
    const isFile = whole.length <= MAX_PATH;
    const path = isFile ? realPath(whole.replaceAll(STAR, 'x'), disk) : whole;
    const glob = isFile && !isKnown(whole) ? whole : null;
    const target = { named: word, path, relative: null, glob, removes: false, recursive: false, by, isShell: true };
    return protectionOf(target, protectedFiles) !== null;
  });
}

/** All texts in a tool's input, however deep, and the names of its fields: a tool may take a path as either. */
function textsIn(input: Readonly<Record<string, unknown>>): string[] {
  const [texts, open]: [string[], unknown[]] = [[], [input]];
  for (const it of open) {
    if (typeof it === 'string') texts.push(it);
    else if (typeof it === 'object' && it !== null)
      for (const [name, value] of Object.entries(it)) open.push(name, value);
  }
  return texts;
}
