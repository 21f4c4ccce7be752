import type { CommandExpansionPart, Word, WordPart } from 'unbash';
import { parameterExpansion, simpleExpansion } from './parameters.ts';
import type { Reading } from './reading.ts';
import { expandBraces } from './words/braces.ts';
import { HOLE, isKnown, PIECE, QUOTED_HOLE, STAR, type Field } from './words/field.ts';
import { build, combine, type Piece } from './words/word-building.ts';

const QUOTES_OR_EXPANSIONS = /['"`$\\]/;

/**
 * Expands a word: each element of the result is one list of fields that the shell may make of it. What would run inside
 * of it is not looked at here.
 */
export function expand(word: Word, reading: Reading): Field[][] {
  const { parts } = word;
  if (parts === undefined) return [[withHome(word, word.value, reading)]];
  if (parts.some((it) => it.type === 'BraceExpansion')) return [braced(word, reading)];
  const options = parts.map((it) => optionsOf(it, false, reading));
  const all = combine(options);
  if (all === null) return [[HOLE]];
  return all.map((pieces) => {
    const [first, ...rest] = build(pieces);
    return first === undefined ? [] : [withHome(word, first, reading), ...rest];
  });
}

function withHome(word: Word, field: Field, reading: Reading): Field {
  if (!word.text.startsWith('~') || !field.startsWith('~')) return field;
  if (field === '~' || field.startsWith('~/')) return reading.scope.home + field.slice(1);
  return QUOTED_HOLE + (field.includes('/') ? field.slice(field.indexOf('/')) : '');
}

function braced(word: Word, reading: Reading): Field[] {
  if (QUOTES_OR_EXPANSIONS.test(word.text)) return [HOLE];
  const words = expandBraces(word.text);
  return words === null ? [HOLE] : words.map((it) => withHome(word, it.replaceAll(/[*?[\]]+/g, STAR), reading));
}

function optionsOf(part: WordPart, isQuoted: boolean, reading: Reading): Piece[] {
  const text = (it: Field): Piece[] => [{ kind: 'text', text: it }];
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return text(part.value);
    case 'DoubleQuoted':
    case 'LocaleString':
      return quoted(part.parts, reading);
    case 'Glob':
    case 'ExtendedGlob':
      // `x['$(…)']` looks like a pattern, and is an index whose text some builtins expand
      if (/\$\(|`/.test(part.text)) reading.fault('a pattern contains a command that the shell may run');
      return text(STAR);
    case 'SimpleExpansion':
      return simpleExpansion(part.text, isQuoted, reading);
    case 'ParameterExpansion':
      return parameterExpansion(part, isQuoted, reading);
    case 'CommandExpansion':
      return substituted(part, reading).map((it) =>
        isQuoted ? { kind: 'text', text: it.replaceAll(HOLE, QUOTED_HOLE) } : unquoted(it, reading),
      );
    case 'ArithmeticExpansion':
      return text(PIECE);
    case 'ProcessSubstitution':
      return text(`/dev/fd/${PIECE}`);
    case 'BraceExpansion':
      return text(HOLE);
  }
}

function unquoted(text: Field, reading: Reading): Piece {
  return { kind: 'split', text: reading.scope.has('IFS') && !isKnown(text) ? HOLE : text };
}

/** The text between double quotes: an empty one is a word too. */
function quoted(parts: readonly WordPart[], reading: Reading): Piece[] {
  const all = combine(parts.map((it) => optionsOf(it, true, reading)));
  if (all === null) return [{ kind: 'text', text: QUOTED_HOLE }];
  return all.map((pieces) => {
    const hasList = pieces.some((it) => it.kind === 'words');
    if (!hasList) return { kind: 'text', text: pieces.map((it) => (it.kind === 'words' ? '' : it.text)).join('') };
    return { kind: 'words', words: build(pieces) };
  });
}

/** The value of `$(…)`: the text of a program whose output is known, or anything. */
function substituted(part: CommandExpansionPart, reading: Reading): Field[] {
  const [statement, ...more] = part.script?.commands ?? [];
  if (statement === undefined || more.length > 0) return [HOLE];
  const outputs = reading.shell.outputOf(statement.command, { kind: 'none' }, reading);
  return outputs === null ? [HOLE] : outputs.map((it) => it.replace(/\n+$/, ''));
}
