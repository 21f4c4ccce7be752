import type { CountTokens } from '../../schema/count-tokens.ts';
import { MOST_TOKENS } from './cut.ts';
import { joinSections, type Section } from './sections.ts';

/** A unit with fewer tokens is smaller than its entry in the manifest, and lint warns of it. */
const FEWEST_TOKENS = 20;

/**
 * The sections of one document, each that is smaller than its entry in the manifest joined with a neighbour: with the
 * next one if that is small too, otherwise with the one before it. A document that is so small itself remains, and is
 * marked.
 */
export function joinShort(sections: readonly Section[], countTokens: CountTokens): Section[] {
  const tokens = ({ text }: Section) => countTokens(`${text}\n`);
  const isShort = (it: Section | undefined) => it !== undefined && tokens(it) < FEWEST_TOKENS;
  const fit = (a: Section | undefined, b: Section | undefined) =>
    a !== undefined && b !== undefined && tokens(a) + tokens(b) < MOST_TOKENS;
  const found: Section[] = [];
  const left = [...sections];
  for (let it = left.shift(); it !== undefined; it = left.shift()) {
    const [before, next] = [found.at(-1), left[0]];
    if (!isShort(it)) found.push(it);
    else if (next && (isShort(next) || !fit(before, it)) && fit(it, next)) left.splice(0, 1, joinedTo(it, next));
    else if (before && fit(before, it)) found.splice(-1, 1, joinSections(before, it));
    else found.push({ ...it, isShort: true });
  }
  return found;
}

/** A short section with the next one, which says more about both if the first is no more than an introduction. */
function joinedTo(short: Section, next: Section): Section {
  const both = joinSections(short, next);
  if (!short.isPreamble || short.document.front.description !== null) return both;
  return { ...both, title: next.title, isPreamble: next.isPreamble, above: next.above, joined: next.joined };
}
