import type { Field } from '../words/field.ts';

/** Longer code is looked through to here: the rest is left to the check. */
const MAX_CODE = 100_000;
/** Of more calls, and of more words, only the first are read: nobody writes as many on a command line. */
const MOST = 100;

/** Names of functions that start a program, as a part of a pattern. */
export const STARTERS = String.raw`system|popen\d?|run|call|check_call|check_output|Popen|spawn\w*|exec(?:FileSync|File|Sync|[vl]p?e?)?|getoutput|getstatusoutput|create_subprocess_\w+|execa|Command`;
/** A call of one of them, or of one that often takes another text than a command. */
const STARTS = new RegExp(String.raw`\b(${STARTERS}|execute|shell_exec|passthru)\b\s*\(?\s*`, 'g');
/** Those of them that mean other things as well. */
const COMMON = /^(exec|run|call)$/;
/** Modules by which they start one. */
const MODULES = /\b(subprocess|child_process|os|execa|zx|invoke)\b/;
/** Signs between the words of a call. */
const BETWEEN = /(?:[\s,[\]{]|\bargs\s*[:=])*/y;
const TEXT = /[rbuRBU]{0,2}(?:"((?:[^"\\\n]|\\.){0,4000})"|'((?:[^'\\\n]|\\.){0,4000})'|`([^`\\$]{0,4000})`)/y;

/** The commands that code starts, as far as it writes them out: the words of each. */
export function commandsInCode(whole: Field): Field[][] {
  const code = whole.slice(0, MAX_CODE);
  const commands: Field[][] = [];
  for (const { 0: all, 1: name = '', index } of code.matchAll(STARTS)) {
    if (commands.length >= MOST) break;
    if (COMMON.test(name) && !MODULES.test(code)) continue;
    const [program, ...args] = textsFrom(code, index + all.length);
    // behind the program stands the name that it sees of itself
    const skipped = /^exec[vl]/.test(name) ? 1 : 0;
    if (program !== undefined) commands.push([program, ...args.slice(skipped)]);
  }
  return commands;
}

/** The texts that stand next to one another from a place on. */
function textsFrom(code: string, from: number): Field[] {
  const texts: Field[] = [];
  for (let at = from; texts.length < MOST; at = TEXT.lastIndex) {
    BETWEEN.lastIndex = at;
    BETWEEN.test(code);
    TEXT.lastIndex = BETWEEN.lastIndex;
    const [, double, single, template] = TEXT.exec(code) ?? [];
    const text = double ?? single ?? template;
    if (text === undefined) break;
    texts.push(text.replaceAll(/\\(["'\\])/g, '$1'));
  }
  return texts;
}

const AWK =
  /\bsystem\s*\(\s*"((?:[^"\\\n]|\\.){0,4000})"|"((?:[^"\\\n]|\\.){0,4000})"\s*\|\s*&?\s*getline\b|\|\s*&?\s*"((?:[^"\\\n]|\\.){0,4000})"/g;

/** A command that an awk program starts. */
interface AwkCommand {
  readonly text: Field;
  /** Whether the program prints to it: if it is a shell, it runs what is printed. */
  readonly isPipe: boolean;
}

/** The commands that an awk program starts, or pipes to or from, as far as it writes them out. */
export function commandsInAwk(whole: Field): AwkCommand[] {
  const found: AwkCommand[] = [];
  for (const [, called, read, piped] of whole.slice(0, MAX_CODE).matchAll(AWK)) {
    const text = (called ?? read ?? piped ?? '').replaceAll(/\\(["\\])/g, '$1');
    found.push({ text, isPipe: piped !== undefined });
    if (found.length >= MOST) break;
  }
  return found;
}
