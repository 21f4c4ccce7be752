import { stemmer } from 'stemmer';

/** The limit of cached stems; no real garden has more words, and a hostile text must not fill the memory. */
const REMEMBERED = 50_000;
const LONGEST = 40;
const stems = new Map<string, string>();

/** The Porter stem of a word; cached, because texts and intents repeat their words. */
export function stem(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const found = stemmer(word);
  if (stems.size < REMEMBERED && word.length <= LONGEST) stems.set(word, found);
  return found;
}
