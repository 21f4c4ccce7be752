import type { Chunk, Outcome } from '../schema/api/recall.ts';
import type { RecallGarden } from './recall-garden.ts';

/** The content that can be served for a unit at an instant. */
interface Served {
  readonly content: string;
  readonly tokens: number;
  /** sha256 of the content. */
  readonly digest: string;
  readonly source: Chunk['source'];
}

/** The units of a garden that can be served at one instant. */
export interface Serving {
  /** Null if there is nothing to serve. */
  readonly serve: (unit: number) => Served | null;
  /** Every unit with nothing to serve, and why. */
  readonly absent: ReadonlyMap<number, Outcome>;
}

/** Determines what can be served of a garden at an instant. */
export function servingAt(garden: RecallGarden, now: string): Serving {
  const at = Date.parse(now);
  const absent = new Map<number, Outcome>();
  for (const unit of garden.expiring) {
    if (isInForce(garden, unit, at) || serve(garden, unit, at)) continue;
    absent.set(unit, garden.facts[unit]?.content === '' ? 'unavailable' : 'expired');
  }
  for (const unit of garden.withdrawn) absent.set(unit, 'withdrawn');
  return { serve: (unit) => serve(garden, unit, at), absent };
}

function isInForce({ until }: RecallGarden, unit: number, at: number): boolean {
  return (until[unit] ?? -Infinity) > at;
}

/** §21.6.1: the fact, or the legacy file if no fact is in force; null if there is neither. */
function serve(garden: RecallGarden, unit: number, at: number): Served | null {
  const fact = garden.facts[unit];
  if (!fact || garden.withdrawn.has(unit)) return null;
  const { content, tokens, digest, fallback } = fact;
  if (isInForce(garden, unit, at)) return { content, tokens, digest, source: 'stigmem' };
  const text = fallback && garden.fallbacks.get(fallback.path);
  if (!fallback || text === null || text === undefined) return null;
  return { content: text, tokens: fallback.tokens, digest: fallback.digest, source: 'fallback_path' };
}
