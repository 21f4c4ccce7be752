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
    for (const it of commands) {
      reading.shell.runScript(it.text, { kind: it.isPipe ? 'unknown' : 'none' }, reading);
    }
    const named = options.flatMap((it) => (it.name === 'v' || it.name === 'assign' ? [it.value ?? ''] : []));
    const operands = given.length + files.length > 0 ? rest : rest.slice(1);
    const targets = codes.flatMap((it) =>
      program === 'sed' ? readSedScript(it).writes : outputsOfAwk(it, named, operands),
    );
    for (const target of targets) {
      reading.write({ target, by: program, removes: false, recursive: false });
      output(target, HOLE, reading);
    }
  };

export const runSed = runScriptFile('sed', 'efl', ['expression', 'file', 'line-length']);
export const runAwk = runScriptFile('awk', 'Fvfe', ['field-separator', 'assign', 'file', 'source']);

/** Options that hold a script. */
const GIVEN = new Set(['e', 'expression', 'source']);

const PRINTS =
  /\bprintf?\b(?:"(?:[^"\\\n]|\\.){0,100}"|[^;{}\n>"]){0,100}>>?\s{0,9}\(?\s{0,9}(?:"([^"\\\n]+)"|([A-Za-z_]\w{0,60})(?![\w(])\s{0,9}(?:[)};\n]|$))/g;
const ASSIGNED = /\b([A-Za-z_]\w*)\s*=\s*"([^"\\\n]+)"\s*(?:[;}\n]|$)/g;

/**
 * The files that an awk program prints to: by their names, or by those of variables. The printed text is searched only
 * up to a limit, since it may be long.
 */
function outputsOfAwk(code: Field, given: readonly Field[], operands: readonly Field[]): Field[] {
  const values = new Map<string, Field[]>([['FILENAME', [...operands]]]);
  const add = (name: string, value: Field) => values.set(name, [...(values.get(name) ?? []), value]);
  for (const it of [...given, ...operands]) {
    const [, name = '', value] = /^([A-Za-z_]\w*)=([^]*)$/.exec(it) ?? [];
    if (value !== undefined) add(name, value);
  }
  for (const [, name = '', value = ''] of code.matchAll(ASSIGNED)) add(name, value);
  return [...code.matchAll(PRINTS)].flatMap(([, file, name = '']) =>
    file === undefined ? (values.get(name) ?? []) : [file],
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
