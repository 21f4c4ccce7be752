import { rescan, settingOf, readAssignment } from './assignments.ts';
import type { Context, Reading, Setting } from './reading.ts';
import { runFile } from './shells.ts';
import { HOLE, type Field } from './words/field.ts';
import { splitOptions } from './words/options.ts';

/** Reads one program with its arguments: the words, where it runs, and what is found. */
export type Handler = (words: readonly Field[], context: Context, reading: Reading) => void;

const NONE = { kind: 'none' } as const;

/** `command`, `builtin`: the program behind them, which no function or alias replaces. */
const runBare: Handler = (words, context, reading) => {
  const { options, rest } = splitOptions(words.slice(1), {});
  const isQuestion = options.some((it) => it.name === 'v' || it.name === 'V');
  if (!isQuestion) reading.shell.run(rest, context, reading);
};

const runExec: Handler = (words, context, reading) => {
  reading.shell.run(splitOptions(words.slice(1), { values: 'a' }).rest, context, reading);
};

const runEval: Handler = (words, { stdin }, reading) => {
  const [first, ...rest] = words.slice(1);
  const text = first === '--' ? rest : words.slice(1);
  reading.shell.runScript(text.join(' '), stdin, reading);
};

const runSource: Handler = (words, { stdin }, reading) => {
  const { rest } = splitOptions(words.slice(1), { values: 'p' });
  const [file, ...args] = rest;
  if (args.length > 0) reading.scope.addPositionals(args);
  if (file !== undefined) runFile(file, stdin, reading);
};

const runTrap: Handler = (words, _context, reading) => {
  const { rest } = splitOptions(words.slice(1), {});
  const [action, signal] = rest;
  if (action !== undefined && signal !== undefined && action !== '-') reading.shell.runScript(action, NONE, reading);
};

const setAlias: Handler = (words, _context, reading) => {
  const [name = '', ...value] = words.slice(1).filter((it) => !it.startsWith('-'));
  // csh and fish write the name and the command as words of their own
  const apart = value.length > 0 && !name.includes('=') ? [{ name, value: value.join(' ') }] : [];
  for (const setting of [...words.slice(1).map(settingOf), ...apart]) {
    if (setting === null) continue;
    reading.scope.alias(setting.name, setting.value);
    reading.shell.runScript(setting.value, NONE, reading);
  }
};

/** `declare`, `export`, `local` …: words that name variables and may give them values. */
const declareNames: Handler = (words, _context, reading) => {
  const { options, rest } = splitOptions(words.slice(1), {});
  const isReference = options.some((it) => it.name === 'n');
  for (const word of rest) {
    rescan(word, reading);
    const setting = settingOf(word);
    if (setting !== null) {
      reading.scope.assign(setting.name, [isReference ? HOLE : declared(setting, reading)]);
      readAssignment(setting.name, setting.value, reading);
    } else if (isReference) reading.scope.assign(word, [HOLE]);
    else if (word === 'POSIXLY_CORRECT') readAssignment(word, HOLE, reading); // `set -o posix` has given it a value
  }
};

/** A value that a name has already, or its first one; another might be made of it, and would grow with every pass. */
function declared({ name, value }: Setting, { scope }: Reading): Field {
  const known = scope.has(name) ? scope.valuesOf(name) : null;
  return known === null || known.some((it) => it.join(' ') === value) ? value : HOLE;
}

/** `read`, `mapfile`, `getopts` …: names whose values come from elsewhere. */
const readNames: Handler = (words, _context, reading) => {
  const { options, rest } = splitOptions(words.slice(1), { values: 'adinNptuOscC' });
  const [callback] = options.filter((it) => it.name === 'C');
  if (callback?.value != null && words[0] !== 'read') reading.shell.runScript(callback.value, NONE, reading);
  const arrays = options.flatMap((it) => (it.name === 'a' && it.value !== null ? [it.value] : []));
  for (const name of [...rest, ...arrays, 'REPLY', 'MAPFILE', 'OPTARG']) {
    rescan(name, reading);
    reading.scope.assign(name, [HOLE]);
  }
};

const printNames: Handler = (words, _context, reading) => {
  if (words[1]?.startsWith('-v') !== true) return;
  const name = words[1] === '-v' ? words[2] : words[1].slice(2);
  if (name === undefined) return;
  rescan(name, reading);
  reading.scope.assign(name, [HOLE]);
};

const rescanAll: Handler = (words, _context, reading) => {
  for (const word of words.slice(1)) rescan(word, reading);
};

const setPositionals: Handler = (words, _context, reading) => {
  const { options, rest } = splitOptions(words.slice(1), { values: 'o' });
  const recalls = options.some((it) => it.name === 'H' || (it.name === 'o' && it.value === 'histexpand'));
  if (recalls) reading.fault('set -H turns on history expansion');
  if (rest.length > 0) reading.scope.addPositionals(rest);
};

const shift: Handler = (_words, _context, reading) => {
  if (!reading.scope.hasShift) reading.scope.changes++;
  reading.scope.hasShift = true;
};

const enter: Handler = (words, _context, reading) => {
  const { rest } = splitOptions(words.slice(1), {});
  const [folder = ''] = rest;
  reading.scope.folders.enter(folder === '-' ? HOLE : folder);
};

const push: Handler = (words, _context, reading) => {
  const isStaying = words.includes('-n');
  const [folder] = words.slice(1).filter((it) => it !== '-n' && it !== '--');
  // it turns the whole stack
  if (folder === undefined || /^[-+]\d*$/.test(folder)) reading.scope.folders.lose();
  else reading.scope.folders.push(folder, isStaying);
};

const pop: Handler = (words, _context, reading) => {
  if (words.length === 1) reading.scope.folders.pop();
  else reading.scope.folders.lose();
};

/** Words that make the shell itself run something else than is written. */
const refuse =
  (why: string, options: RegExp): Handler =>
  (words, _context, reading) => {
    if (words.slice(1).some((it) => options.test(it))) reading.fault(why);
  };

const complete: Handler = (words, _context, reading) => {
  const { options } = splitOptions(words.slice(1), { values: 'ACFGPSWXo' });
  for (const it of options) {
    if (it.name === 'C' && it.value !== null) reading.shell.runScript(it.value, NONE, reading);
    // a list of words is expanded once more
    if (it.name === 'W' && it.value !== null) rescan(it.value, reading);
  }
};

/** `jobs -x program`: the one option by which it runs something. */
const runJobs: Handler = (words, context, reading) => {
  if (words[1] === '-x') reading.shell.run(words.slice(2), context, reading);
};

export const BUILTINS: Readonly<Record<string, Handler>> = {
  command: runBare,
  builtin: runBare,
  exec: runExec,
  eval: runEval,
  source: runSource,
  '.': runSource,
  trap: runTrap,
  alias: setAlias,
  declare: declareNames,
  typeset: declareNames,
  local: declareNames,
  export: declareNames,
  readonly: declareNames,
  read: readNames,
  mapfile: readNames,
  readarray: readNames,
  getopts: readNames,
  printf: printNames,
  let: rescanAll,
  test: rescanAll,
  '[': rescanAll,
  unset: rescanAll,
  set: setPositionals,
  shift,
  cd: enter,
  pushd: push,
  popd: pop,
  complete,
  compgen: complete,
  jobs: runJobs,
  hash: refuse('hash -p makes a name run another program', /^-\w*p/),
  enable: refuse('enable -f loads code into the shell', /^-\w*f/),
  bind: refuse('bind -x binds a key to a command', /^-\w*x/),
  fc: refuse('fc runs earlier commands', /./),
};
