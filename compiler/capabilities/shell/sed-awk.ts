import type { Handler } from './builtins.ts';
import { output } from './output.ts';
import { commandsInAwk } from './programs/code-commands.ts';
import type { Reading } from './reading.ts';
import { HOLE, type Field, type Stdin } from './words/field.ts';
import { splitOptions } from './words/options.ts';
import { readSedScript } from './words/sed-script.ts';

/** `sed -f file`, `awk -f file`: a script from the standard input, or from a file that the command has just written. */
const runScriptFile =
  (program: string, values: string, long: readonly string[]): Handler =>
  (words, { stdin }, reading) => {
    const { options, rest } = splitOptions(words.slice(1), { values, long });
    const given = options.flatMap((it) => (GIVEN.has(it.name) && it.value !== null ? [it.value] : []));
    const files = options.flatMap((it) => (it.name === 'f' || it.name === 'file' ? [it.value ?? HOLE] : []));
    for (const it of files) readFile(program, it, stdin, reading);
    const codes = given.length + files.length > 0 ? given : rest.slice(0, 1);
    const commands = program === 'sed' ? [] : codes.flatMap(commandsInAwk);
    for (const it of commands) reading.shell.runScript(it, { kind: 'none' }, reading);
    const targets = codes.flatMap((it) => (program === 'sed' ? readSedScript(it).writes : outputsOfAwk(it)));
    for (const target of targets) {
      reading.write({ target, by: program, removes: false, recursive: false });
      output(target, HOLE, reading);
    }
  };

export const runSed = runScriptFile('sed', 'efl', ['expression', 'file', 'line-length']);
export const runAwk = runScriptFile('awk', 'Fvfe', ['field-separator', 'assign', 'file', 'source']);

/** Options that hold a script. */
const GIVEN = new Set(['e', 'expression', 'source']);

/** The files that an awk program prints to. The printed text is searched only up to a limit, since it may be long. */
function outputsOfAwk(code: Field): Field[] {
  return [...code.matchAll(/\bprintf?\b(?:"(?:[^"\\\n]|\\.){0,100}"|[^;{}\n>"]){0,100}>>?\s*"([^"\\\n]+)"/g)].map(
    ([, file = '']) => file,
  );
}

const INPUT = new Set(['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']);

function readFile(program: string, file: Field, stdin: Stdin, reading: Reading): void {
  if (INPUT.has(file)) {
    if (stdin.kind === 'unknown') reading.fault(`${program} reads its script from a pipe`);
    if (stdin.kind === 'text') reading.inline.push({ program, code: stdin.text, args: [] });
  } else if (file.includes(HOLE) || file.startsWith('/dev/')) {
    reading.fault(`${program} runs a script that is only known at run time`);
  } else for (const code of reading.scope.writtenTo(file)) reading.inline.push({ program, code, args: [] });
}
