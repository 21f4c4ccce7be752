import type { Fact } from '../model/fact.ts';
import type { Chunk } from '../model/recall.ts';

/** What a unit can be answered with at this instant. */
export interface Served {
  readonly content: string;
  readonly tokens: number;
  readonly source: Chunk['source'];
}

/** §21.6.1: the fact, or the legacy file where there is none in force; null where neither can be had. */
export function serve(fact: Fact, fallbacks: ReadonlyMap<string, string>, now: string): Served | null {
  const inForce = fact.content !== '' && (fact.valid_until === null || Date.parse(fact.valid_until) > Date.parse(now));
  if (inForce) return { content: fact.content, tokens: fact.tokens, source: 'stigmem' };
  const text = fact.fallback && fallbacks.get(fact.fallback.path);
  if (fact.fallback && text !== null && text !== undefined) {
    return { content: text, tokens: fact.fallback.tokens, source: 'fallback_path' };
  }
  return null;
}
