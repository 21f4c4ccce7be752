/**
 * Every match of a global pattern. Most texts have none: `matchAll` alone copies the pattern first, which takes longer
 * than the search.
 */
export function allMatches(text: string, pattern: RegExp): readonly RegExpExecArray[] {
  return text.search(pattern) === -1 ? [] : [...text.matchAll(pattern)];
}
