/** Patterns of phrases, each with the words of which every match begins with one; null if it can begin otherwise. */
interface Opened {
  readonly openings: readonly string[] | null;
}

/** `\\b`, a word or a group of plain alternatives, and a space. */
const OPENING = /^\\b(?:\(\?:([a-z0-9' |-]+)\)|([a-z0-9]+)) /;

/**
 * The words of which every match of a pattern begins with one, read from the pattern itself; null if it can begin
 * otherwise.
 *
 * @param source of a regular expression without capitals
 */
export function openingWords(source: string): readonly string[] | null {
  const [, group, word] = OPENING.exec(source) ?? [];
  const alternatives = group?.split('|') ?? (word === undefined ? [] : [word]);
  const words = alternatives.flatMap((it) => /^[a-z0-9]+/.exec(it)?.[0] ?? []);
  return words.length === 0 || words.length < alternatives.length ? null : [...new Set(words)];
}

/**
 * A function that returns the phrases that a text can contain, in their order: most texts have few of the words that
 * phrases begin with, and one search finds them all.
 */
export function narrowedBy<T extends Opened>(phrases: readonly T[]): (text: string) => readonly T[] {
  const words = [...new Set(phrases.flatMap(({ openings }) => openings ?? []))];
  const opening = new RegExp(`\\b(?:${words.join('|')})\\b`, 'g');
  return (text) => {
    const present = new Set(text.match(opening));
    return phrases.filter(({ openings }) => openings?.some((it) => present.has(it)) ?? true);
  };
}
