import type { Handler } from './builtins.ts';
import { commandsInCode } from './programs/code-commands.ts';
import { writtenByCode } from './programs/code-writes.ts';
import { literalStarts } from './programs/literal-starts.ts';
import { loadedBy, moduleTexts } from './programs/loaded-modules.ts';
import type { Reading } from './reading.ts';
import { HOLE, type Field, type Stdin } from './words/field.ts';

/** Ways in which a program that runs another language takes code. */
interface Interpreter {
  /** Options before code: a cluster of letters that ends in one of these, or these long ones. */
  readonly code: RegExp;
  /** Options that take a value of another kind. */
  readonly values?: RegExp;
  /** Options that take no value. Every other one may take the next word. */
  readonly flags?: RegExp;
  /** An option that names a module, whose name is the first group: some languages run what stands behind it. */
  readonly module?: RegExp;
  /** A first word behind which code stands, and one behind which a file does. */
  readonly verbs?: { readonly code: RegExp; readonly file: RegExp };
  /** A cluster of letters with the code in the same word, which is the first group. */
  readonly attached?: RegExp;
}

const PYTHON: Interpreter = {
  code: /^-[A-Za-z]*c$/,
  values: /^-[WX]$/,
  flags: /^-[bBdEhiIOPqRsSuvVx?]+$/,
  attached: /^-[bBdEhiIOPqRsSuvVx]*c([^]+)$/,
};
const NODE: Interpreter = {
  code: /^(-e|-p|-pe|--eval|--print)$/,
  values: /^(-r|--require|--import|--loader|--experimental-loader|-C|--conditions)$/,
  flags: /^(-[cih]|--(test|watch|check|interactive|inspect|inspect-brk|no-[\w-]+|enable-[\w-]+|trace-[\w-]+))$/,
  verbs: { code: /^eval$/, file: /^(run|watch)$/ },
};
const DASH_E: Interpreter = {
  code: /^(-[A-Za-z]*[eE]|--eval|--execute|-eval)$/,
  flags: /^-[adhnpsSvwWx0-9]+$/,
  attached: /^-[adhlnpsSvwWx0-9]*e([^]+)$/,
  module: /^-r([^]+)$/,
};
const PERL: Interpreter = {
  code: /^-[A-Za-z0-9]*[eE]$/,
  flags: /^-[acdfhlnpsStTuUvwWX0-9]*(i(\.\w*)?)?$/,
  attached: /^-[acdfhlnpsStTuUvwWX0-9]*[eE]([^]+)$/,
  module: /^-[acdfhlnpsStTuUvwWX0-9]*[mM]-?([^]+)$/,
};

const INTERPRETERS: readonly (readonly [RegExp, Interpreter])[] = [
  [/^(python|pypy|ipython|bpython)[0-9.]*$/, PYTHON],
  [/^(node|nodejs|tsx|ts-node|bun)$/, NODE],
  [/^deno$/, { code: /^(-p|--print)$/, values: /^(-c|--config)$/, verbs: { code: /^eval$/, file: /^run$/ } }],
  [/^mongosh?$/, { code: /^--eval$/ }],
  [/^rails$/, { code: /^(?!)/, verbs: { code: /^(runner|r)$/, file: /^(?!)/ } }],
  [/^rake$/, { code: /^(-[epE]|--execute(-print|-continue)?)$/ }],
  [/^perl[0-9.]*$/, PERL],
  [
    /^ruby[0-9.]*$|^(lua|luajit|r|rscript|julia|groovy|raku|osascript|ghc|runghc|elixir|erl|swift|scala)[0-9.]*$/,
    DASH_E,
  ],
  [/^php[0-9.]*$/, { code: /^(-r|-B|-R|-E|--run)$/, attached: /^-[rBRE]([^]+)$/ }],
];

/** Ways in which a program takes code; null if it is no interpreter. */
export function interpreterOf(name: string): Interpreter | null {
  return INTERPRETERS.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

const INPUT = new Set(['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']);

/** Finds an interpreter's code on its command line, on its standard input, or in a file that was just written. */
export function readInterpreter(name: string, how: Interpreter): Handler {
  return (words, { stdin }, reading) => {
    const { codes, operands, doubtful, isDone } = codeOf(words.slice(1), how);
    for (const it of words.slice(1)) codes.push(...codeInAddress(it));
    if (name.startsWith('py')) codes.push(...codeForShell(operands));
    for (const code of codes) noteCode(name, code, operands, reading);
    for (const it of doubtful) readFile(name, it, [], reading);
    for (const it of loadedBy(name, words)) {
      for (const code of moduleTexts(name, it, reading.scope)) noteCode(name, code, [], reading);
    }
    const [file, ...args] = operands;
    if (staysOpen(name, words)) readInput(name, stdin, args, reading);
    // code that reads its input may run what it reads: the input is looked at as if it were code too
    if (codes.length > 0 && stdin.kind === 'text') reading.inline.push({ program: 'input', code: stdin.text, args });
    if (isDone) readModule(name, words, stdin, reading);
    if (codes.length > 0 || isDone) return;
    if ((file === undefined && doubtful.length === 0) || INPUT.has(file ?? '')) readInput(name, stdin, args, reading);
    else if (file !== undefined) readFile(name, file, args, reading);
  };
}

/** A file of code. Its text is known only if this very command writes it. */
function readFile(name: string, file: Field, args: readonly Field[], reading: Reading): void {
  if (file.includes(HOLE) || file.startsWith('/dev/'))
    reading.fault(`${name} runs a file that is only known at run time`);
  else for (const code of moduleTexts(name, file, reading.scope)) noteCode(name, code, args, reading);
}

/** Whether an interpreter reads its input behind the file that it runs. */
function staysOpen(name: string, words: readonly Field[]): boolean {
  return /^(py|node|lua|julia)/.test(name) && words.some((it) => /^(-[bBdEIOPqRsSuvx]*i|--interactive)$/.test(it));
}

/** `manage.py shell -c code`: the code for the shell of a framework. */
function codeForShell(operands: readonly Field[]): Field[] {
  const at = operands.findIndex((it) => /^(-c|--command)$/.test(it));
  return operands[1] === 'shell' && at > 0 ? operands.slice(at + 1, at + 2) : [];
}

/** Notes code, the files that it writes by name, and the commands that it starts by name. */
function noteCode(program: string, code: Field, args: readonly Field[], reading: Reading): void {
  reading.inline.push({ program, code, args });
  for (const target of writtenByCode(program, code)) {
    reading.write({ target, by: program, removes: false, recursive: false });
  }
  const commands = [...commandsInCode(code), ...(literalStarts(program, code)?.commands ?? [])];
  for (const command of commands) runCommand(command, reading);
}

/** Runs a command whose words stand in another text: one text is a script, more are a program and its arguments. */
export function runCommand([first = '', ...more]: readonly Field[], reading: Reading): void {
  if (more.length === 0 || /\s/.test(first)) reading.shell.runScript(first, { kind: 'none' }, reading);
  else reading.shell.run([first, ...more], { settings: [], stdin: { kind: 'none' } }, reading);
}

function readInput(name: string, stdin: Stdin, args: readonly Field[], reading: Reading): void {
  if (stdin.kind === 'unknown') reading.fault(`${name} reads its program from a pipe`);
  if (stdin.kind === 'text') noteCode(name, stdin.text, args, reading);
}

interface InterpreterCode {
  readonly codes: Field[];
  readonly operands: readonly Field[];
  /** Words that are the file which it runs, unless the option before them takes a value. */
  readonly doubtful: readonly Field[];
  /** Whether it runs a module, or only tells something about itself. */
  readonly isDone: boolean;
}

/** Modules of Python that read code from their standard input. */
const CONSOLES = /^(code|asyncio|pdb|idlelib|IPython|bpython|ptpython)$/;
/** Modules of Python whose arguments are code. */
const TIMERS = /^(timeit|pdb|IPython)$/;

/** `python -m code`, `python -m timeit code`. */
function readModule(name: string, words: readonly Field[], stdin: Stdin, reading: Reading): void {
  const at = words.findIndex((it) => /^-[A-Za-z]*m$/.test(it));
  const module = at < 0 ? '' : (words[at + 1] ?? '');
  const args = words.slice(at + 2);
  if (CONSOLES.test(module)) readInput(name, stdin, args, reading);
  if (TIMERS.test(module)) for (const code of args) noteCode(name, code, args, reading);
}

/** The code in a `data:` address, which some languages load as a module. */
function codeInAddress(word: Field): Field[] {
  const [, kind, data] = /^(?:--[\w-]+=)?data:([^,]*),([^]*)$/.exec(word) ?? [];
  if (kind === undefined || data === undefined) return [];
  if (kind.endsWith(';base64')) return [Buffer.from(data, 'base64').toString('utf8')];
  try {
    return [decodeURIComponent(data)];
  } catch {
    return [data];
  }
}

function codeOf(args: readonly Field[], how: Interpreter): InterpreterCode {
  const codes: Field[] = [];
  const doubtful: Field[] = [];
  const ended = (at: number, isDone: boolean) => ({ codes, doubtful, operands: args.slice(at), isDone });
  let [tells, mayTake] = [false, false];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    const given = how.code.test(word) ? (args[++at] ?? '') : codeIn(word, how);
    if (given !== null) codes.push(given);
    else if (how.verbs?.code.test(word) === true) {
      codes.push(...args.slice(at + 1).filter((it) => !it.startsWith('-')));
      return ended(args.length, false);
    } else if (/^-[A-Za-z]*m$/.test(word)) return ended(at + 1, true);
    else if (word === '--') return ended(at + 1, false);
    else if (how.values?.test(word) === true) at++;
    else if (/^-./.test(word)) {
      // some only tell something about themselves; others run on
      tells ||= /^(-V|-v|--version|--help|-h|--test)$/.test(word);
      mayTake = !word.includes('=') && how.flags?.test(word) !== true;
    } else if (mayTake) {
      doubtful.push(word);
      mayTake = false;
    } else if (how.verbs?.file.test(word) !== true) return ended(at, false);
  }
  return ended(args.length, tells);
}

/** The code in a word of its own: behind an option, or as the name of a module. */
function codeIn(word: Field, { attached, module }: Interpreter): Field | null {
  const [, long] = /^--(?:eval|print|execute)=([^]*)$/.exec(word) ?? [];
  const [, loaded] = module?.exec(word) ?? [];
  return long ?? attached?.exec(word)?.[1] ?? (loaded === undefined ? null : `use ${loaded}`);
}
