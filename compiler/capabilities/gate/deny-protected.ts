import { resolve } from 'node:path';
import { deny, NOT_APPLICABLE, unreadable, type ToolCall, type AtomVerdict } from '../atoms/gate-module.ts';
import { isTemporary } from '../atoms/scratch-files.ts';
import { ownCommandOf } from '../effects/own-commands.ts';
import { settingsWrittenBy } from '../effects/settings-commands.ts';
import { FILE_FIELDS, onlyReads } from '../effects/tools.ts';
import { protectionOf, mentionsProtected, takesWorktree, type ProtectedFiles } from '../paths/protected-files.ts';
import { realPath } from '../paths/real-path.ts';
import type { WriteTarget } from '../paths/targets.ts';
import { PLAIN } from '../shell/programs/plain-programs.ts';
import type { Invocation } from '../shell/reading.ts';
import { isKnown, STAR } from '../shell/words/field.ts';
import { secondNameOf } from './second-name.ts';

/** Programs that take words as words, and yet change the file that one of them names. */
const CHANGING = new Set('ln chmod chown chgrp mount dd chattr setfacl gzip gunzip xz unxz patch ed'.split(' '));
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
  for (const it of call.guesses) {
    const what = protectionOf(it, protectedFiles);
    if (what !== null) return deny(`${it.named} would be protected (${what})`, INSTEAD);
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
  const code = command.inline.find((it) => mentionsProtected(it.code, protectedFiles));
  if (code !== undefined) return deny(`the code for ${code.program} names protected files`, INSTEAD);
  const isBlind = call.targets.some((it) => it.path === null);
  const text = call.input['command'];
  if (isBlind && typeof text === 'string' && (UNNAMED.test(text) || mentionsProtected(text, protectedFiles))) {
    return deny('the gate cannot tell which file would be written', INSTEAD);
  }
  return command.faults.length > 0 ? unreadable(command) : NOT_APPLICABLE;
}

/** Whether a file is neither in the agent's worktree nor a temporary one, whatever its role's lists leave open. */
function isOutside({ path, relative, isDoubtful }: WriteTarget, worktree: string): boolean {
  return path !== null && relative === null && !isDoubtful && !isTemporary(path, worktree);
}

/** Twice the limit of the kernel: a path within the limit, below a folder within the limit. */
const MAX_PATH = 8192;

/** A protected file among the arguments of a program that is not known to only read it. */
function touched(
  { name, words, isWrapper }: Invocation,
  { command, place, disk }: ToolCall,
  protectedFiles: ProtectedFiles,
) {
  if (isWrapper || (PLAIN.has(name) && !CHANGING.has(name) && name !== 'sed')) return undefined;
  const shared = {
    relative: null,
    removes: false,
    recursive: false,
    by: name,
    isShell: true,
    isDoubtful: false,
  };
  return words.slice(1).find((word) => {
    // a glob may mean a protected name
    if (!isKnown(word.replaceAll(STAR, ''))) return false;
    if (mentionsProtected(word, protectedFiles) && !/^(bash|sh|zsh|dash)$/.test(name)) return true;
    if (!word.includes('/') && !word.startsWith('.')) return false;
    return (command?.cwds ?? []).some((cwd) => {
      const whole = resolve(isKnown(cwd) ? cwd : place.cwd, word.replace(/^[\w-]+=/, ''));
      // no file is there, whatever a glob means; a program may still shorten what it is given
      const isFile = whole.length <= MAX_PATH;
      const path = isFile ? realPath(whole.replaceAll(STAR, 'x'), disk) : whole;
      const glob = isFile && !isKnown(whole) ? whole : null;
      return protectionOf({ ...shared, named: word, path, glob }, protectedFiles) !== null;
    });
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
