import type { Handler } from './builtins.ts';
import type { Reading, Stdin } from './reading.ts';
import { HOLE, type Field } from './words/field.ts';

/** How a program that runs another language takes code. */
interface Interpreter {
  /** Options before code: a cluster of letters that ends in one of these, or these long ones. */
  readonly code: RegExp;
  /** Options that take a value of another kind. */
  readonly values?: RegExp;
}

const PYTHON: Interpreter = { code: /^-[A-Za-z]*c$/, values: /^-[WX]$/ };
const NODE: Interpreter = {
  code: /^(-e|-p|-pe|--eval|--print)$/,
  values: /^(-r|--require|--import|--loader|-C|--conditions)$/,
};
const DASH_E: Interpreter = { code: /^(-[A-Za-z]*[eE]|--eval|--execute|-eval)$/ };

const INTERPRETERS: readonly (readonly [RegExp, Interpreter])[] = [
  [/^(python|pypy|ipython|bpython)[0-9.]*$/, PYTHON],
  [/^(node|nodejs|tsx|ts-node|bun)$/, NODE],
  [/^deno$/, { code: /^(-p|--print)$/, values: /^(-c|--config)$/ }],
  [/^perl[0-9.]*$/, { code: /^-[A-Za-z0-9]*[eE]$/ }],
  [/^ruby[0-9.]*$|^(lua|luajit|R|Rscript|julia|groovy|osascript|ghc|runghc|elixir|erl|swift|scala)[0-9.]*$/, DASH_E],
  [/^php[0-9.]*$/, { code: /^(-r|-B|-R|-E|--run)$/ }],
];

/** How a program takes code; null if it is no interpreter. */
export function interpreterOf(name: string): Interpreter | null {
  return INTERPRETERS.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

const INPUT = new Set(['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']);

/** Finds the code that an interpreter is given on its command line, on its standard input, or in a file just written. */
export function readInterpreter(name: string, how: Interpreter): Handler {
  return (words, { stdin }, reading) => {
    const { codes, operands, isDone } = codeOf(words.slice(1), how);
    for (const code of codes) reading.inline.push({ program: name, code, args: operands });
    const [file, ...args] = operands;
    // code that reads its input may run what it reads: the input is looked at as if it were code too
    if (codes.length > 0 && stdin.kind === 'text') reading.inline.push({ program: 'input', code: stdin.text, args });
    if (codes.length > 0 || isDone) return;
    if (file === undefined || INPUT.has(file)) readInput(name, stdin, args, reading);
    else if (file.includes(HOLE) || file.startsWith('/dev/')) reading.fault(`${name} runs what is only known later`);
    else for (const code of reading.scope.writtenTo(file)) reading.inline.push({ program: name, code, args });
  };
}

function readInput(name: string, stdin: Stdin, args: readonly Field[], reading: Reading): void {
  if (stdin.kind === 'unknown') reading.fault(`${name} reads its program from a pipe`);
  if (stdin.kind === 'text') reading.inline.push({ program: name, code: stdin.text, args });
}

interface Found {
  readonly codes: Field[];
  readonly operands: readonly Field[];
  /** Whether it runs a module, or only tells something about itself. */
  readonly isDone: boolean;
}

function codeOf(args: readonly Field[], { code, values }: Interpreter): Found {
  const codes: Field[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    const [, long] = /^--(?:eval|print|execute)=([^]*)$/.exec(word) ?? [];
    if (long !== undefined) codes.push(long);
    else if (code.test(word)) codes.push(args[++at] ?? '');
    // -c and -e with the code in the same word
    else if (/^-[ceEr][^\w-]/.test(word) || /^-c\w{3}/.test(word)) codes.push(word.slice(2));
    else if (word === '-m' || /^(-[A-Za-z]*m|-V|-v|--version|--help|-h|--test)$/.test(word)) {
      return { codes, operands: args.slice(at + 1), isDone: true };
    } else if (word === '--') return { codes, operands: args.slice(at + 1), isDone: false };
    else if (values?.test(word) === true) at++;
    else if (word === 'eval') codes.push(args[++at] ?? '');
    else if (word === '-' || !word.startsWith('-')) return { codes, operands: args.slice(at), isDone: false };
  }
  return { codes, operands: [], isDone: false };
}
