import { anySettingOf, settingOf, readAssignment } from './assignments.ts';
import type { Handler } from './builtins.ts';
import { interpreterOf } from './interpreters.ts';
import { foundBy } from './programs/found-paths.ts';
import type { Reading, Setting } from './reading.ts';
import { SHELLS } from './shells.ts';
import { HOLE, PIECE, programName, QUOTED_HOLE, type Field, type Stdin } from './words/field.ts';
import { splitOptions, type Option } from './words/options.ts';

const NONE = { kind: 'none' } as const;

/** Takes `NAME=value` words off the front of a command. */
export function takeSettings(
  words: readonly Field[],
  reading: Reading,
): { settings: Setting[]; rest: readonly Field[] } {
  const settings: Setting[] = [];
  let at = 0;
  for (; at < words.length; at++) {
    const setting = anySettingOf(words[at] ?? '');
    if (setting === null) break;
    settings.push(setting);
    readAssignment(setting.name, setting.value, reading);
  }
  return { settings, rest: words.slice(at) };
}

export const runEnv: Handler = (words, { stdin }, reading) => {
  const args = words.slice(1).filter((it, at) => !(it === '-' && at === 0));
  const { options, rest } = splitOptions(args, { values: 'uCS', long: ['unset', 'chdir', 'split-string'] });
  const [split] = options.filter((it) => it.name === 'S' || it.name === 'split-string');
  for (const it of options)
    if ((it.name === 'C' || it.name === 'chdir') && it.value) reading.scope.folders.enter(it.value);
  if (split?.value != null) reading.shell.runScript([`env ${split.value}`, ...rest].join(' '), stdin, reading);
  const taken = takeSettings(rest, reading);
  reading.shell.run(taken.rest, { settings: taken.settings, stdin }, reading);
};

/** The words that a program reads from its standard input; null if they are not known. */
function wordsOf(stdin: Stdin): Field[] | null {
  return stdin.kind === 'text'
    ? stdin.text.split(/[\s\0]+/).filter((it) => it !== '')
    : stdin.kind === 'none'
      ? []
      : null;
}

export const runXargs: Handler = (words, { stdin }, reading) => {
  const { options, rest } = splitOptions(words.slice(1), {
    values: 'adEILnPs',
    long: ['arg-file', 'delimiter', 'max-args', 'max-procs', 'max-chars', 'process-slot-var'],
  });
  const hasFile = options.some((it) => it.name === 'a' || it.name === 'arg-file');
  const given = hasFile ? null : wordsOf(stdin);
  const [replaced] = options.filter(isReplacing);
  const command = rest.length === 0 ? ['echo'] : rest;
  if (replaced === undefined) {
    reading.shell.run([...command, ...(given ?? [QUOTED_HOLE, HOLE])], { settings: [], stdin: NONE }, reading);
    return;
  }
  const mark = replaced.value ?? '{}';
  const inputs = stdin.kind === 'text' && !hasFile ? stdin.text.split('\n').filter((it) => it !== '') : [QUOTED_HOLE];
  for (const input of inputs.slice(0, 16)) fill(command, mark, input, reading);
  if (inputs.length > 16) fill(command, mark, QUOTED_HOLE, reading);
};

/** `-I R`, `-i`, `--replace=R`, also cut short; `-r` is another option. */
function isReplacing({ name, value }: Option): boolean {
  return name === 'I' || name === 'i' || ('replace'.startsWith(name) && (name.length > 1 || value !== null));
}

function fill(command: readonly Field[], mark: string, input: Field, reading: Reading): void {
  const filled = command.map((it) => it.replaceAll(mark, input));
  reading.shell.run(filled, { settings: [], stdin: NONE }, reading);
}

const RUNS = /^-(exec|execdir|ok|okdir)$/;

export const runFind: Handler = (words, _context, reading) => {
  const args = words.slice(1);
  const found = foundBy(args);
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '-delete') {
      for (const target of found) reading.write({ target, by: 'find', removes: true, recursive: true });
    }
    if (/^-(fprint0?|fprintf|fls)$/.test(word)) {
      reading.write({ target: args[at + 1] ?? HOLE, by: 'find', removes: false, recursive: false });
    }
    if (!RUNS.test(word)) continue;
    const end = args.findIndex((it, n) => n > at && (it === ';' || (it === '+' && args[n - 1] === '{}')));
    const command = args.slice(at + 1, end < 0 ? args.length : end);
    if (command[0]?.includes('{}') === true) reading.fault('find runs the files that it finds');
    for (const path of found) fill(command, '{}', path, reading);
    at = end < 0 ? args.length : end;
  }
};

export const runFd: Handler = (words, _context, reading) => {
  const at = words.findIndex((it) => /^(-x|-X|--exec|--exec-batch)$/.test(it));
  if (at < 0) return;
  const command = words.slice(at + 1);
  if (command[0]?.startsWith('{') === true) reading.fault('fd runs the files that it finds');
  reading.shell.run([...command, QUOTED_HOLE], { settings: [], stdin: NONE }, reading);
};

/** In a script, one word of any text: a name that no command sets. */
const ANY_WORD = '"$__VADE_ANY"';

export const runParallel: Handler = (words, { stdin }, reading) => {
  const { options, rest } = splitOptions(words.slice(1), {
    values: 'jaILnNSTCPsd',
    long: ['jobs', 'arg-file', 'colsep', 'delay'],
  });
  const at = rest.findIndex((it) => /^:::/.test(it));
  const command = at < 0 ? rest : rest.slice(0, at);
  const hasFile =
    options.some((it) => it.name === 'a' || it.name === 'arg-file') || rest.some((it) => /^::::/.test(it));
  const inputs = hasFile ? null : at < 0 ? wordsOf(stdin) : rest.slice(at).filter((it) => !/^:::/.test(it));
  const lines = stdin.kind === 'text' && !hasFile ? stdin.text.split('\n') : null;
  if (command.length === 0) {
    const scripts = at < 0 ? lines : inputs;
    if (scripts === null) reading.fault('parallel reads its commands from a pipe');
    for (const it of scripts ?? []) reading.shell.runScript(it, NONE, reading);
    return;
  }
  const text = command.join(' ');
  const fillIn = (it: Field) => (text.includes('{') ? text.replaceAll(/\{[^ }]*\}/g, it) : `${text} ${it}`);
  // without an input, `sem` runs its command once
  const given = inputs === null ? [ANY_WORD] : inputs.length === 0 ? [PIECE] : inputs;
  for (const it of given) reading.shell.runScript(fillIn(it), NONE, reading);
};

export const runFlock: Handler = (words, { stdin }, reading) => {
  const { rest } = splitOptions(words.slice(1), { values: 'wE', long: ['timeout', 'wait', 'conflict-exit-code'] });
  const [, flag, ...command] = rest;
  if (/^(-c|--c[a-z]*)$/.test(flag ?? '')) reading.shell.runScript(command[0] ?? '', stdin, reading);
  else reading.shell.run(rest.slice(1), { settings: [], stdin }, reading);
};

export const runWatch: Handler = (words, { stdin }, reading) => {
  const { rest } = splitOptions(words.slice(1), { values: 'nq', long: ['interval', 'equexit'] });
  reading.shell.runScript(rest.join(' '), stdin, reading);
};

const SCRIPT_OPTIONS = ['command', 'session-command', 'call', 'run'];

/** Whether an option holds a script; a long one may be cut short. */
function holdsScript(option: string): boolean {
  const [, name] = /^--([a-z-]+)(=|$)/.exec(option) ?? [];
  return /^-\w*c$/.test(option) || (name !== undefined && SCRIPT_OPTIONS.some((it) => it.startsWith(name)));
}

/** `su -c text`, `script -c text`: one option holds a script; with `--` a program may follow. */
export const runOption =
  (values: string): Handler =>
  (words, { stdin }, reading) => {
    const args = words.slice(1);
    for (const [at, it] of args.entries()) {
      if (!holdsScript(it)) continue;
      const [, text = args[at + 1] ?? ''] = /^--[a-z-]+=([^]*)$/.exec(it) ?? [];
      reading.shell.runScript(text, stdin, reading);
    }
    // without a script they start a shell on the standard input
    if (!args.some(holdsScript) && stdin.kind !== 'none') reading.shell.run(['sh'], { settings: [], stdin }, reading);
    const dashes = args.indexOf('--');
    const { options, rest } = splitOptions(args, {
      values,
      long: ['user', 'group', 'supp-group', 'shell', 'whitelist-environment'],
    });
    // the user is the first operand, unless an option has named one
    const inner = options.some((it) => it.name === 'u' || it.name === 'user') ? rest : rest.slice(1);
    reading.shell.run(dashes < 0 ? inner : args.slice(dashes + 1), { settings: [], stdin }, reading);
  };

/** An unknown program may run a shell: arguments that look like a shell and its script are read as such. */
export const runShells: Handler = (words, { stdin }, reading) => {
  for (let at = 1; at + 1 < words.length; at++) {
    if (!/^-\w*[cer]$/.test(words[at + 1] ?? '')) continue;
    const name = programName(words[at] ?? '');
    if (name !== null && (SHELLS.has(name) || interpreterOf(name.toLowerCase()) !== null))
      reading.shell.run(words.slice(at), { settings: [], stdin }, reading);
  }
};

/** `make -f -`, `make --eval`: a makefile on the command line is a script line by line. */
export const runMake: Handler = (words, { stdin }, reading) => {
  for (const [at, it] of words.entries()) {
    const next = words[at + 1] ?? '';
    if (/^(-f|--file|--makefile)$/.test(it) && (next === '-' || next.startsWith('/dev/'))) {
      if (stdin.kind === 'text' && next !== '' && !next.startsWith('/dev/fd')) recipe(stdin.text, reading);
      else reading.fault('make reads its rules from a pipe');
    }
    const [, text = it === '-E' || it === '--eval' ? next : undefined] = /^--eval=([^]*)$/.exec(it) ?? [];
    if (text !== undefined) recipe(text, reading);
    for (const [, script = ''] of it.matchAll(/\$\(shell\s+([^()]*)\)/g))
      reading.shell.runScript(script, NONE, reading);
    const [, shell] = /^(?:SHELL|MAKESHELL)=(.*)$/.exec(it) ?? [];
    if (shell !== undefined) reading.shell.run([shell], { settings: [], stdin: NONE }, reading);
    // its rules start what such names hold, as `CC`
    const variable = at === 0 ? null : settingOf(it);
    if (variable !== null) readAssignment(variable.name, variable.value, reading);
  }
};

function recipe(text: Field, reading: Reading): void {
  for (const line of text.split(/\n|;/)) {
    const command = line
      .replace(/^[^:=]*:/, '')
      .trim()
      .replace(/^[-@+]+/, '');
    if (command !== '') reading.shell.runScript(command, NONE, reading);
  }
}

/** `at`, `batch`: the lines of the standard input are a script. */
export const runStdinScript: Handler = (_words, { stdin }, reading) => {
  if (stdin.kind === 'text') reading.shell.runScript(stdin.text, NONE, reading);
  if (stdin.kind === 'unknown') reading.fault('a scheduled job reads its commands from a pipe');
};

const TMUX_STARTS =
  /^(new|new-session|neww|new-window|splitw|split-window|respawnp|respawn-pane|respawnw|respawn-window)$/;
const TMUX_KEYS = /^(send|send-keys)$/;
const KEY = /^(Enter|Space|Tab|Escape|BSpace|Up|Down|Left|Right|[CM]-\S+|.)$/;

/** `tmux new -d program`, `tmux send-keys -t pane program Enter`: words of their own are a program too. */
export const runTmux: Handler = (words, context, reading) => {
  runTexts(words, context, reading);
  const at = words.findIndex((it) => TMUX_STARTS.test(it) || TMUX_KEYS.test(it));
  if (at < 0) return;
  const { rest } = splitOptions(words.slice(at + 1), { values: 'ceflnstxyFN' });
  if (TMUX_STARTS.test(words[at] ?? '')) reading.shell.run(rest, context, reading);
  else
    for (const it of rest.filter((word) => /^[\w./-]+$/.test(word) && !KEY.test(word)))
      reading.shell.run([it], context, reading);
};

/** `tmux new-session -d 'text'`, `screen -X stuff 'text'`: an argument of several words is a script. */
export const runTexts: Handler = (words, context, reading) => {
  for (const it of words.slice(1)) if (/\s/.test(it)) reading.shell.runScript(it, NONE, reading);
  runShells(words, context, reading);
};
