import type { Handler } from './builtins.ts';
import { writtenByCode } from './programs/code-writes.ts';
import type { Reading } from './reading.ts';
import { HOLE, type Field, type Stdin } from './words/field.ts';

/** How a program that runs another language takes code. */
interface Interpreter {
  /** Options before code: a cluster of letters that ends in one of these, or these long ones. */
  readonly code: RegExp;
  /** Options that take a value of another kind. */
  readonly values?: RegExp;
  /** A cluster of letters with the code in the same word, which is the first group. */
  readonly attached?: RegExp;
}

const PYTHON: Interpreter = { code: /^-[A-Za-z]*c$/, values: /^-[WX]$/, attached: /^-[bBdEhiIOPqRsSuvVx]*c([^]+)$/ };
const NODE: Interpreter = {
  code: /^(-e|-p|-pe|--eval|--print)$/,
  values: /^(-r|--require|--import|--loader|--experimental-loader|-C|--conditions)$/,
};
const DASH_E: Interpreter = {
  code: /^(-[A-Za-z]*[eE]|--eval|--execute|-eval)$/,
  attached: /^-[adhlnpsSvwWx0-9]*e([^]+)$/,
};

const INTERPRETERS: readonly (readonly [RegExp, Interpreter])[] = [
  [/^(python|pypy|ipython|bpython)[0-9.]*$/, PYTHON],
  [/^(node|nodejs|tsx|ts-node|bun)$/, NODE],
  [/^deno$/, { code: /^(-p|--print)$/, values: /^(-c|--config)$/ }],
  [/^perl[0-9.]*$/, { code: /^-[A-Za-z0-9]*[eE]$/, attached: /^-[acdfhlnpsStTuUvwWX0-9]*[eE]([^]+)$/ }],
  [/^ruby[0-9.]*$|^(lua|luajit|r|rscript|julia|groovy|osascript|ghc|runghc|elixir|erl|swift|scala)[0-9.]*$/, DASH_E],
  [/^php[0-9.]*$/, { code: /^(-r|-B|-R|-E|--run)$/, attached: /^-[rBRE]([^]+)$/ }],
];

/** How a program takes code; null if it is no interpreter. */
export function interpreterOf(name: string): Interpreter | null {
  return INTERPRETERS.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

const INPUT = new Set(['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']);

/** Finds an interpreter's code on its command line, on its standard input, or in a file that was just written. */
export function readInterpreter(name: string, how: Interpreter): Handler {
  return (words, { stdin }, reading) => {
    const { codes, operands, isDone } = codeOf(words.slice(1), how);
    for (const it of words.slice(1)) codes.push(...codeInAddress(it));
    for (const code of codes) noteCode(name, code, operands, reading);
    const [file, ...args] = operands;
    // code that reads its input may run what it reads: the input is looked at as if it were code too
    if (codes.length > 0 && stdin.kind === 'text') reading.inline.push({ program: 'input', code: stdin.text, args });
    if (isDone) readModule(name, words, stdin, reading);
    if (codes.length > 0 || isDone) return;
    if (file === undefined || INPUT.has(file)) readInput(name, stdin, args, reading);
    else if (file.includes(HOLE) || file.startsWith('/dev/'))
      reading.fault(`${name} runs a file that is only known at run time`);
    else for (const code of reading.scope.writtenTo(file)) noteCode(name, code, args, reading);
  };
}

/** Notes code, and the files that it writes by name. */
function noteCode(program: string, code: Field, args: readonly Field[], reading: Reading): void {
  reading.inline.push({ program, code, args });
  for (const target of writtenByCode(program, code)) {
    reading.write({ target, by: program, removes: false, recursive: false });
  }
}

function readInput(name: string, stdin: Stdin, args: readonly Field[], reading: Reading): void {
  if (stdin.kind === 'unknown') reading.fault(`${name} reads its program from a pipe`);
  if (stdin.kind === 'text') noteCode(name, stdin.text, args, reading);
}

interface InterpreterCode {
  readonly codes: Field[];
  readonly operands: readonly Field[];
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

function codeOf(args: readonly Field[], { code, values, attached }: Interpreter): InterpreterCode {
  const codes: Field[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    const [, long] = /^--(?:eval|print|execute)=([^]*)$/.exec(word) ?? [];
    if (long !== undefined) codes.push(long);
    else if (code.test(word)) codes.push(args[++at] ?? '');
    else if (attached?.test(word) === true) codes.push(attached.exec(word)?.[1] ?? '');
    else if (word === '-m' || /^(-[A-Za-z]*m|-V|-v|--version|--help|-h|--test)$/.test(word)) {
      return { codes, operands: args.slice(at + 1), isDone: true };
    } else if (word === '--') return { codes, operands: args.slice(at + 1), isDone: false };
    else if (values?.test(word) === true) at++;
    else if (word === 'eval') codes.push(args[++at] ?? '');
    else if (word === '-' || !word.startsWith('-')) return { codes, operands: args.slice(at), isDone: false };
  }
  return { codes, operands: [], isDone: false };
}
