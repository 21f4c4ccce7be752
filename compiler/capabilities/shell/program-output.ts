import { foundBy } from './programs/found-paths.ts';
import type { Reading } from './reading.ts';
import { PIECE, QUOTED_HOLE, type Field } from './words/field.ts';

/** Programs that print the path of another. */
const FINDERS = new Set(['which', 'type', 'command', 'whereis']);
/** Actions of `find` that print something else than paths. */
const PRINTS = /^-(exec|execdir|ok|okdir|printf|ls)$/;
/** Programs that print one name or number. */
const ONE_NAME = new Set(['basename', 'date', 'id', 'nproc', 'uname', 'wc', 'whoami', 'hostname', 'expr']);

/** What a program prints; null if that is not known. */
export function outputOfProgram(fields: readonly Field[], reading: Reading): Field | null {
  const [program = '', ...args] = fields;
  const operands = args.filter((it) => !it.startsWith('-'));
  const last = operands.at(-1);
  if (FINDERS.has(program) && last !== undefined && (program !== 'command' || args[0]?.startsWith('-v') === true)) {
    return last.includes('/') ? last : `/usr/bin/${last}`;
  }
  if (program === 'pwd') return reading.scope.cwds.length === 1 ? (reading.scope.cwds[0] ?? null) : null;
  if (program === 'mktemp') return last === undefined ? `/tmp/${PIECE}` : (templateOf(args) ?? null);
  if (program === 'dirname') return QUOTED_HOLE;
  if (program === 'find') return args.some((it) => PRINTS.test(it)) ? null : `${foundBy(args).join('\n')}\n`;
  return ONE_NAME.has(program) ? PIECE : null;
}

/** The path that `mktemp` makes of a template that names its folder. */
function templateOf(args: readonly Field[]): Field | null {
  const template = args.find((it) => it.includes('XXX'));
  if (template === undefined) return args.every((it) => /^-[dqt]+$/.test(it)) ? `/tmp/${PIECE}` : null;
  return template.replace(/X{3,}/, PIECE);
}
