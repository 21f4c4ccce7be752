import type { AndOr, Command, PipelineNode, Word } from 'unbash';
import { expandAll } from './expansions.ts';
import { foundBy, listedBy } from './programs/found-paths.ts';
import type { Reading } from './reading.ts';
import { asStdin, stdinOf } from './redirections.ts';
import { echoed, printed } from './words/echo-printf.ts';
import { PIECE, QUOTED_HOLE, type Field, type Stdin } from './words/field.ts';

/** Programs that print the path of another. */
const FINDERS = new Set(['which', 'type', 'command', 'whereis']);
/** Actions of `find` that print something else than paths. */
const PRINTS = /^-(exec|execdir|ok|okdir|printf|ls)$/;
/** Programs that print one name or number. */
const ONE_NAME = new Set(['basename', 'date', 'id', 'nproc', 'uname', 'wc', 'whoami', 'hostname', 'expr']);

/** The texts that a command may print, if its words determine them; null if it may print anything. */
export function outputOf(node: PipelineNode | AndOr, stdin: Stdin, reading: Reading): Field[] | null {
  if (node.type === 'Command') return outputOfCommand(node, stdin, reading);
  if (node.type !== 'Pipeline') return null;
  let text: Field[] | null = null;
  let input = stdin;
  for (const command of node.commands) {
    text = outputOf(command, input, reading);
    input = asStdin(text);
  }
  return text;
}

function outputOfCommand(command: Command, given: Stdin, reading: Reading): Field[] | null {
  const words = [command.name, ...command.args].filter((it): it is Word => it?.type === 'Word');
  const all = expandAll(words, reading);
  if (all === null || words.length - 1 !== command.args.length) return null;
  const stdin = stdinOf(command.redirects, given, reading);
  const outputs = all.map((fields) => outputOfFields(fields, stdin, reading));
  return outputs.every((it) => it !== null) ? outputs : null;
}

function outputOfFields(fields: readonly Field[], stdin: Stdin, reading: Reading): Field | null {
  const [program, ...args] = fields;
  // a function of that name may print anything
  if (program === undefined || reading.scope.functions.has(program) || reading.scope.aliases.has(program)) return null;
  if (program === 'echo') return echoed(args);
  if (program === 'printf' && args[0] !== '-v') return printed(args);
  if (program === 'cat' || program === 'tee') {
    const passes = stdin.kind === 'text' && (program === 'tee' || args.every((it) => it === '-'));
    return passes ? stdin.text : null;
  }
  return outputOfProgram(fields, reading);
}

/** The output of a program; null if it is not known. */
function outputOfProgram(fields: readonly Field[], reading: Reading): Field | null {
  const [program = '', ...args] = fields;
  const operands = args.filter((it) => !it.startsWith('-'));
  const last = operands.at(-1);
  if (FINDERS.has(program) && last !== undefined && (program !== 'command' || args[0]?.startsWith('-v') === true)) {
    return last.includes('/') ? last : `/usr/bin/${last}`;
  }
  if (program === 'pwd')
    return reading.scope.folders.here.length === 1 ? (reading.scope.folders.here[0] ?? null) : null;
  if (program === 'mktemp') return templateOf(args);
  if (program === 'dirname') return QUOTED_HOLE;
  if (program === 'find') return args.some((it) => PRINTS.test(it)) ? null : `${foundBy(args).join('\n')}\n`;
  const listed = listedBy(program, args);
  if (listed !== null) return `${listed.join('\n')}\n`;
  return ONE_NAME.has(program) ? PIECE : null;
}

/** The path that `mktemp` makes: of a template that names its folder, or of none. */
function templateOf(args: readonly Field[]): Field | null {
  const template = args.find((it) => it.includes('XXX'));
  if (template === undefined) return args.every((it) => /^-[dqt]+$/.test(it)) ? `/tmp/${PIECE}` : null;
  return template.replace(/X{3,}/, PIECE);
}

/** Keeps a text that is written to a file; a part of it may be there already. */
export function output(target: Field, text: Field, reading: Reading): void {
  if (target.startsWith('/dev/')) return;
  reading.scope.write(target, text);
}
