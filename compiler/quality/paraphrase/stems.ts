import { terms } from '../../recall/signals/lexical.ts';

/** The stems by which a text is matched, in order and each once: two texts with the same ones ask the same. */
export function stemsOf(text: string): string {
  return [...new Set(terms(text, false))].sort().join(' ');
}

/**
 * Tells the texts that say no more and no less than a trigger does (§21.8.3): a recall that finds those proves nothing.
 *
 * @param triggers everything the index has as a trigger
 */
export function triggerFilter(triggers: Iterable<string>): (text: string) => boolean {
  const known = new Set([...triggers].map(stemsOf));
  return (text) => known.has(stemsOf(text));
}
