import type { RecallGarden } from '../../compiler/recall/recall-garden.ts';
import type { Recalled } from '../../compiler/recall/recall.ts';
import type { RecallRequest, RecallResponse } from '../../compiler/schema/api/recall.ts';

/** The result of a recall without its audit token. */
export interface CachedAnswer extends Pick<Recalled, 'left_out' | 'content_digests'> {
  readonly response: Omit<RecallResponse, 'audit_token'>;
  /** The response as JSON bytes, up to where the token is appended. */
  readonly json: Buffer;
}

/**
 * A cache of answers. Garden, request and instant determine an answer (§21.3.4), so it is valid for the same request
 * until a unit of its garden expires; withdrawing a fact makes a new garden.
 */
export interface AnswerCache {
  /** @param at milliseconds since 1970 */
  readonly find: (garden: RecallGarden, request: RecallRequest, at: number) => CachedAnswer | null;
  readonly keep: (garden: RecallGarden, request: RecallRequest, at: number, recalled: Recalled) => CachedAnswer;
}

interface CacheEntry extends CachedAnswer {
  /** Valid from and until, in milliseconds since 1970. */
  readonly from: number;
  readonly until: number;
}

/** Capacity in characters of requests plus bytes of answers, in all and for one entry. */
const MAX_SIZE = 4_000_000;
const MAX_ENTRY_SIZE = 16_000;

export function toCachedAnswer({ left_out, content_digests, ...response }: Recalled): CachedAnswer {
  return { response, left_out, content_digests, json: bytesToKeep(JSON.stringify(response).slice(0, -1)) };
}

/** Allocates outside the shared pool: a small pooled buffer in the cache would keep its whole block alive. */
function bytesToKeep(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/**
 * Keeps the most recently used answers. A map keeps its keys in the order of insertion, which is sufficient.
 * `lru-cache` would save the fifteen lines of `forget` and `put`, but not the check of instants, because its entries
 * expire by its own clock. Its lookups are not faster (0.1 to 0.2 µs each). Its insertions are faster by 1 to 3 µs,
 * which is little compared with the 60 µs and more of the recall before.
 */
export function createAnswerCache(): AnswerCache {
  const entries = new Map<string, CacheEntry>();
  let size = 0;
  const keyOf = gardenKeys();
  const forget = (key: string) => {
    const found = entries.get(key);
    if (found) size -= key.length + found.json.length;
    entries.delete(key);
  };
  const put = (key: string, entry: CacheEntry) => {
    entries.set(key, entry);
    size += key.length + entry.json.length;
    for (const oldest of entries.keys()) {
      if (size <= MAX_SIZE) break;
      forget(oldest);
    }
  };
  return {
    find: (garden, request, at) => {
      const key = keyOf(garden, request);
      const found = entries.get(key);
      if (!found || at < found.from || at >= found.until) return null;
      entries.delete(key);
      entries.set(key, found);
      return found;
    },
    keep: (garden, request, at, recalled) => {
      const answer = toCachedAnswer(recalled);
      const key = keyOf(garden, request);
      forget(key);
      const isSmall = key.length + answer.json.length <= MAX_ENTRY_SIZE;
      if (isSmall) put(key, { ...answer, from: at, until: nextEnd(garden, at) });
      return answer;
    },
  };
}

/** The key of a request of one garden; weak, so that the cache does not keep an unserved garden in memory. */
function gardenKeys() {
  const numbers = new WeakMap<RecallGarden, number>();
  let gardens = 0;
  return (garden: RecallGarden, request: RecallRequest) => {
    const number = numbers.get(garden) ?? ++gardens;
    numbers.set(garden, number);
    return `${number} ${requestKey(request)}`;
  };
}

/** Unique per request: intent and hints may contain any character, so both are quoted. */
function requestKey({ intent, max_chunks, token_budget, manifest_hint }: RecallRequest): string {
  return JSON.stringify([max_chunks, token_budget, intent, manifest_hint]);
}

/** When the next unit of a garden expires. */
function nextEnd({ expiring, until }: RecallGarden, at: number): number {
  let next = Infinity;
  for (const unit of expiring) {
    const end = until[unit] ?? Infinity;
    if (end > at && end < next) next = end;
  }
  return next;
}
