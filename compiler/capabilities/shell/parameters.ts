import type { ParameterExpansionPart } from 'unbash';
import { expandOne } from './expansions.ts';
import type { Reading } from './reading.ts';
import { HOLE, isKnown, PIECE, QUOTED_HOLE, type Field } from './words/field.ts';
import type { Piece } from './words/word-building.ts';

type Values = readonly (readonly Field[])[];

/** Names whose text has neither a slash nor a space. */
const PLAIN_NAMES = new Set(['#', '?', '$', '!', '-', 'RANDOM', 'SECONDS', 'LINENO', 'UID', 'EUID', 'PPID', 'BASHPID']);
const PROGRAMS_LAST_WORD = '_';

/** The possible values of `$name`. */
export function simpleExpansion(text: string, isQuoted: boolean, reading: Reading): Piece[] {
  return piecesOf(text.slice(1), isQuoted, reading);
}

function piecesOf(name: string, isQuoted: boolean, reading: Reading): Piece[] {
  if (name === '@' || name === '*') return listPieces(reading.scope.arguments, name, isQuoted, reading);
  return valuesOf(name, reading).map((value) => textPiece(value[0] ?? '', isQuoted, reading));
}

/** All values of a name; of one that the command does not set, any text or none. */
function valuesOf(name: string, reading: Reading): Values {
  if (/^[1-9]\d*$/.test(name)) return reading.scope.arguments.map((list) => [list[Number(name) - 1] ?? '']);
  if (PLAIN_NAMES.has(name)) return [[PIECE]];
  if (name === PROGRAMS_LAST_WORD) return [[HOLE]];
  return reading.scope.valuesOf(name) ?? [[HOLE]];
}

/** Text in its word, or split where spaces are: unless a changed IFS splits it elsewhere. */
function textPiece(text: Field, isQuoted: boolean, reading: Reading): Piece {
  if (isQuoted) return { kind: 'text', text: text.replaceAll(HOLE, QUOTED_HOLE) };
  return { kind: 'split', text: reading.scope.has('IFS') && text !== '' ? HOLE : text };
}

function listPieces(lists: Values, kind: '@' | '*', isQuoted: boolean, reading: Reading): Piece[] {
  if (kind === '@' && isQuoted) return lists.map((words) => ({ kind: 'words', words }));
  const hasSeparator = isQuoted && reading.scope.has('IFS');
  return lists.map((words) => textPiece(hasSeparator ? HOLE : words.join(' '), isQuoted, reading));
}

/** The possible values of `${name…}`. */
export function parameterExpansion(part: ParameterExpansionPart, isQuoted: boolean, reading: Reading): Piece[] {
  const { parameter, prefix, index, operation } = part;
  if (prefix === '#') return [{ kind: 'text', text: PIECE }];
  if (prefix === '!') return [textPiece(HOLE, isQuoted, reading)];
  if (operation !== undefined) return operated(part, isQuoted, reading);
  if (index === undefined) return piecesOf(parameter, isQuoted, reading);
  const lists = reading.scope.valuesOf(parameter) ?? [[HOLE]];
  if (index.value === '@' || index.value === '*') return listPieces(lists, index.value, isQuoted, reading);
  // which element an index means is not followed: it may be each of them
  return lists.flatMap((words) => words.map((it) => textPiece(it, isQuoted, reading)));
}

function operated(part: ParameterExpansionPart, isQuoted: boolean, reading: Reading): Piece[] {
  const { operation, parameter } = part;
  const values = valuesOf(parameter, reading).flat();
  const pieces = (texts: readonly Field[]) => texts.map((it) => textPiece(it, isQuoted, reading));
  switch (operation?.type) {
    case 'Default': {
      const operands = expandOne(operation.operand, reading);
      if (operation.operator.includes('=')) for (const it of operands) reading.scope.assign(parameter, [it]);
      if (operation.operator.includes('+')) return pieces([...operands, '']);
      return pieces(operation.operator.includes('?') ? values : [...values, ...operands]);
    }
    case 'Remove': {
      const ends = expandOne(operation.operand, reading);
      return pieces(values.flatMap((value) => ends.map((end) => withoutEnd(value, operation.operator, end))));
    }
    default:
      return pieces([HOLE]);
  }
}

/** A value less a known end; of any other removal only the folder is known that it leaves untouched. */
function withoutEnd(value: Field, operator: string, end: Field): Field {
  const isLiteral = isKnown(end) && !/[*?[\\]/.test(end);
  if (!operator.startsWith('%')) return HOLE;
  if (isLiteral && isKnown(value)) return value.endsWith(end) ? value.slice(0, value.length - end.length) : value;
  if (isLiteral && !end.includes('/') && value.endsWith(end)) return value.slice(0, value.length - end.length);
  const slash = value.lastIndexOf('/');
  return isLiteral && !end.includes('/') && slash >= 0 ? value.slice(0, slash + 1) + PIECE : HOLE;
}
