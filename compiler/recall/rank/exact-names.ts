import { parseUri, seriesUri } from '../../schema/uri.ts';
import type { SearchIndex } from '../index/search-index.ts';
import { SPACELESS } from '../signals/character-pairs.ts';
import { terms } from '../signals/lexical.ts';

/** The units that an intent names. */
export interface Named {
  /** By a name that no sentence contains by chance. */
  readonly exact: ReadonlySet<number>;
  /** By a bare word that no other unit contains; it may still be an ordinary word. */
  readonly rare: ReadonlySet<number>;
}

/** In a garden of fewer units a word is easily in one unit only. */
const UNITS_FOR_RARE = 20;

/** Least score of a rare name's unit, in percent of the best unit's score (README.md). */
const NEAR_BEST = 75;

/** Letter or digit of a script with spaces: a name beside one is no whole token. Other scripts write right up to it. */
const SPACED = `(?![${SPACELESS}])[\\p{L}\\p{N}]`;
const TOKEN = new RegExp(`instruction:[a-z0-9/-]+|(?<!-|${SPACED})(?:unit:)?[a-z0-9][a-z0-9-]*(?!${SPACED})`, 'gu');

/**
 * DESIGN §6.6: finds units' names, aliases and URIs as whole tokens. A one-word name may be an ordinary word, so it is
 * exact only in backticks, in quotes or as `unit:name`.
 */
export function namesIn(index: SearchIndex, intent: string): Named {
  const exact = new Set<number>();
  const rare = new Set<number>();
  const text = intent.toLowerCase();
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    const bare = token.startsWith('unit:') ? token.slice('unit:'.length) : token;
    const uri = parseUri(token);
    // an invalid URI must not match by the name at its end
    if (uri === null && token.startsWith('instruction:')) continue;
    const name = uri ? seriesUri(uri) : bare;
    const unit = index.named.get(name);
    if (unit === undefined) continue;
    const marked = uri !== null || token !== bare || isQuoted(text, match.index, token.length);
    if (marked || name.includes('-')) exact.add(unit);
    else if (isRare(index, name)) rare.add(unit);
  }
  return { exact, rare };
}

function isQuoted(text: string, start: number, length: number): boolean {
  const before = text[start - 1] ?? ' ';
  const after = text[start + length] ?? ' ';
  return '`"\'“‘「『《'.includes(before) && '`"\'”’」』》'.includes(after);
}

/** Whether one unit alone contains the word, in any form. */
function isRare({ names, lexical, terms: numbers }: SearchIndex, name: string): boolean {
  if (names.length < UNITS_FOR_RARE) return false;
  const [term = ''] = terms(name, false, lexical.functionWords);
  const t = numbers.get(term);
  // a posting is two numbers: the unit and its impact
  return t !== undefined && (lexical.starts[t + 1] ?? 0) - (lexical.starts[t] ?? 0) === 2;
}

/**
 * The units that come first because an intent names them: those named exactly, and those with a rare name whose own
 * score agrees. An ordinary word in passing must neither win over a clearly better unit nor hide a low confidence.
 *
 * @param matched the lexical and semantic score of each unit
 * @param least tells the total from which on an answer is confident
 */
export function confirmNames(
  { exact, rare }: Named,
  matched: Int32Array,
  total: Int32Array,
  least: () => number,
): Set<number> {
  const confirmed = new Set(exact);
  if (rare.size === 0) return confirmed;
  let best = 0;
  for (const score of matched) best = Math.max(best, score);
  for (const unit of rare) {
    const isNear = 100 * (matched[unit] ?? 0) >= NEAR_BEST * best;
    if (isNear && (total[unit] ?? 0) >= least()) confirmed.add(unit);
  }
  return confirmed;
}
