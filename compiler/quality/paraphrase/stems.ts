import { terms } from '../../recall/signals/lexical.ts';

/** The stems by which a text is matched, sorted, each once: two texts with the same stems ask the same. */
export function stemsOf(text: string): string {
  return [...new Set(terms(text, false))].sort().join(' ');
}

/**
 * Recognises the stems of texts with exactly those of a trigger (§21.8.3): that recall finds these proves nothing.
 *
 * @param triggers all triggers of the index
 */
export function triggerFilter(triggers: Iterable<string>): (stems: string) => boolean {
  const known = new Set([...triggers].map(stemsOf));
  return (stems) => known.has(stems);
}
