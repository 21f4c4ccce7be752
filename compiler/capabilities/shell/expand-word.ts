import type { HereDoc, Word, WordPart } from 'unbash';
import { HOLE, QUOTED_HOLE, STAR, type Field } from './field.ts';

/** The value of a variable; undefined if nothing is known of it. */
export type ValueOf = (name: string) => Field | undefined;

/** A longer value is not followed: no name of a file or program has it. */
const MAX_VALUE = 4096;

/** Place at which the shell splits the value of a variable into words; in no field. */
const SPLIT = '\uE004';

/** A word after its expansions, as far as they are known, where the shell splits none. */
export function expandWord(word: Word, valueOf: ValueOf): Field {
  return expand(word, valueOf).replaceAll(SPLIT, ' ');
}

/** The words that the shell makes of one: the value of a variable without quotation marks may be several, or none. */
export function expandFields(word: Word, valueOf: ValueOf): Field[] {
  const field = expand(word, valueOf);
  if (field === '') return /["']/.test(word.text) ? [''] : [];
  return field.includes(SPLIT) ? field.split(SPLIT).filter((it) => it !== '') : [field];
}

function expand({ text, value, parts }: Word, valueOf: ValueOf): Field {
  const field = parts === undefined ? value : expandParts(parts, valueOf);
  const [tilde] = /^~[^/]*/.exec(text) ?? [];
  if (tilde === undefined) return field;
  return `${tilde === '~' ? valueOf('HOME') : HOLE}${field.slice(tilde.length)}`;
}

/** The text of a here-document: as written if its delimiter is quoted. */
export function expandHereDoc({ delimiter, body }: HereDoc, valueOf: ValueOf): Field {
  if (delimiter?.quoted === true) return body.text;
  return body.parts === undefined ? body.text.replaceAll(/\\([$`\\])/g, '$1') : expandParts(body.parts, valueOf, true);
}

function expandParts(parts: readonly WordPart[], valueOf: ValueOf, isQuoted = false): Field {
  return parts.map((it) => expandPart(it, isQuoted, valueOf)).join('');
}

function expandPart(part: WordPart, isQuoted: boolean, valueOf: ValueOf): Field {
  const unknown = isQuoted ? QUOTED_HOLE : HOLE;
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return part.value;
    case 'DoubleQuoted':
    case 'LocaleString':
      return expandParts(part.parts, valueOf, true);
    case 'Glob':
    case 'ExtendedGlob':
      return STAR;
    case 'SimpleExpansion':
      return split(short(valueOf(part.text.slice(1))), isQuoted) ?? unknown;
    case 'ParameterExpansion':
      return split(parameter(part, valueOf), isQuoted) ?? unknown;
    case 'CommandExpansion':
      return output(part.text, valueOf) ?? unknown;
    case 'ProcessSubstitution':
      return `/dev/fd/${QUOTED_HOLE}`;
    default:
      return unknown;
  }
}

function split(value: Field | null, isQuoted: boolean): Field | null {
  return value === null || isQuoted ? value : value.replaceAll(/\s+/g, SPLIT);
}

function short(value: Field | undefined): Field | null {
  return value === undefined || value.length > MAX_VALUE ? null : value;
}

function parameter({ prefix, index, parameter: name, operation }: ParameterPart, valueOf: ValueOf): Field | null {
  const value = prefix === undefined && index === undefined ? short(valueOf(name)) : null;
  if (value === null || operation === undefined) return value;
  // without a part of its end, a path keeps its folder
  const isCut = operation.type === 'Remove' && operation.operator.startsWith('%') && value.includes('/');
  return isCut ? value.slice(0, value.lastIndexOf('/') + 1) + STAR : null;
}

type ParameterPart = WordPart & { readonly type: 'ParameterExpansion' };

/** The output of the two commands that are known: the working directory, and the name that `mktemp` makes. */
function output(text: string, valueOf: ValueOf): Field | null {
  if (text === '$(pwd)') return valueOf('PWD') ?? null;
  const [made, start = '/tmp/tmp.'] = /^\$\(mktemp(?: -[dqu]+)*(?: (\/tmp\/[\w.-]+?)X+)?\)$/.exec(text) ?? [];
  return made === undefined ? null : start + STAR;
}
