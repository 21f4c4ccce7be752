import type { Context, Reading } from './reading.ts';
import { HOLE, isKnown, QUOTED_HOLE, type Field, type Stdin } from './words/field.ts';
import { splitOptions } from './words/options.ts';

export const SHELLS = new Set(
  'sh bash dash zsh ksh ksh93 mksh ash fish csh tcsh rbash rzsh yash posh oksh pwsh powershell hush osh xonsh nu elvish ysh rc es'.split(
    ' ',
  ),
);

/** Shells whose grammar is so much another that a text of theirs would be misread. */
const FOREIGN = new Set('xonsh nu elvish ysh rc es pwsh powershell'.split(' '));

/**
 * `bash -c text`, `bash file`, `bash` with a script on its standard input.
 *
 * @returns whether all that it runs is read: a file's text is not
 */
export function readShell(words: readonly Field[], { settings, stdin }: Context, reading: Reading): boolean {
  const { options, rest } = splitOptions(words.slice(1), { values: 'oO', long: ['rcfile', 'init-file'] });
  const has = (...names: string[]) => options.some((it) => names.includes(it.name));
  const name = words[0]?.split('/').at(-1)?.toLowerCase() ?? '';
  if (has('H')) reading.fault('-H turns on history expansion');
  if (FOREIGN.has(name) && (words.length > 1 || stdin.kind !== 'none'))
    reading.fault(`this gate cannot read the syntax of ${name}`);
  const isInteractive = has('i');
  if (isInteractive && settings.some((it) => it.name === 'ENV')) reading.fault('ENV names a file that the shell runs');
  for (const it of options) {
    if (it.name === 'rcfile' || it.name === 'init-file') runFile(it.value ?? HOLE, stdin, reading);
  }
  const [first, ...args] = rest;
  if (has('c')) {
    const [zero, ...others] = args;
    if (zero !== undefined) reading.scope.assign('0', [zero]);
    reading.scope.addPositionals(others);
    // other shells have no `--` behind -c
    if (first !== undefined) reading.shell.runScript(first, stdin, reading);
    return true;
  }
  if (first === undefined || has('s')) {
    reading.scope.addPositionals(rest);
    runStdin(stdin, reading);
    return stdin.kind === 'text';
  }
  reading.scope.addPositionals(args);
  runFile(first, stdin, reading);
  return false;
}

/** A script on the standard input. */
function runStdin(stdin: Stdin, reading: Reading): void {
  if (stdin.kind === 'unknown') reading.fault('a shell reads its commands from a pipe');
  if (stdin.kind === 'text') reading.shell.runScript(stdin.text, { kind: 'unknown' }, reading);
}

/** A script in a file. What the file holds is only known if this very command writes it. */
export function runFile(path: Field, stdin: Stdin, reading: Reading): void {
  if (path === '-' || path === '/dev/stdin' || path === '/dev/fd/0' || path === '/proc/self/fd/0') {
    runStdin(stdin, reading);
  } else if (path.includes(HOLE) || path.startsWith('/dev/') || path.startsWith('/proc/')) {
    reading.fault('a shell runs a file that is only known at run time');
  } else {
    runWritten(path, reading);
  }
}

/** Runs what the command itself has written to a file. */
export function runWritten(path: Field, reading: Reading): void {
  for (const text of reading.scope.writtenTo(path)) reading.shell.runScript(text, { kind: 'none' }, reading);
}

/** Whether a text can be read as a script: an unknown part of it could end a word and begin a command. */
export function isScript(text: Field): boolean {
  return isKnown(text) || (!text.includes(HOLE) && !text.includes(QUOTED_HOLE));
}
