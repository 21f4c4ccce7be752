import type { RecallGarden } from '../../compiler/recall/recall-garden.ts';
import type { Recalled } from '../../compiler/recall/recall.ts';
import type { RecallRequest, RecallResponse } from '../../compiler/schema/api/recall.ts';

/** What a recall came to, but for the token that its answer carries. */
export interface CachedAnswer extends Pick<Recalled, 'left_out' | 'content_digests'> {
  readonly response: Omit<RecallResponse, 'audit_token'>;
  /** The response as JSON, up to where the token follows; as bytes, which go out as they are. */
  readonly json: Buffer;
}

/**
 * Answers that were worked out before. Garden, request and instant determine an answer (§21.3.4), so that one is good
 * for the same request until a unit of its garden is no longer in force; taking a fact out makes another garden.
 */
export interface AnswerCache {
  /** @param at milliseconds since 1970 */
  readonly find: (garden: RecallGarden, request: RecallRequest, at: number) => CachedAnswer | null;
  readonly keep: (garden: RecallGarden, request: RecallRequest, at: number, recalled: Recalled) => CachedAnswer;
}

interface CacheEntry extends CachedAnswer {
  /** From when until when it is the answer, in milliseconds since 1970. */
  readonly from: number;
  readonly until: number;
}

/** Characters of requests and bytes of answers that are kept; a single one is worth no more than a small part of them. */
const MAX_SIZE = 4_000_000;
const MAX_ENTRY_SIZE = 16_000;

export function toCachedAnswer({ left_out, content_digests, ...response }: Recalled): CachedAnswer {
  return { response, left_out, content_digests, json: bytesToKeep(JSON.stringify(response).slice(0, -1)) };
}

/** In memory of their own: small buffers are cut from common blocks, and one that is kept would keep its block. */
function bytesToKeep(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/**
 * Keeps the answers that were asked for last. A map keeps the order in which its keys came, which is all that it takes:
 * `lru-cache` would save the fifteen lines of `forget` and `put`, but not the instants, since its entries end by a clock
 * of its own. It finds no quicker (0.1 to 0.2 µs each), and puts in quicker by 1 to 3 µs, beside the 60 µs and more of
 * the recall that comes before.
 */
export function openAnswerCache(): AnswerCache {
  const kept = new Map<string, CacheEntry>();
  let size = 0;
  const keyOf = gardenKeys();
  const forget = (key: string) => {
    const found = kept.get(key);
    if (found) size -= key.length + found.json.length;
    kept.delete(key);
  };
  const put = (key: string, entry: CacheEntry) => {
    kept.set(key, entry);
    size += key.length + entry.json.length;
    for (const oldest of kept.keys()) {
      if (size <= MAX_SIZE) break;
      forget(oldest);
    }
  };
  return {
    find: (garden, request, at) => {
      const key = keyOf(garden, request);
      const found = kept.get(key);
      if (!found || at < found.from || at >= found.until) return null;
      kept.delete(key);
      kept.set(key, found);
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

/** The key of a request of one garden; a garden that is no longer served is not held by what it answered. */
function gardenKeys() {
  const numbers = new WeakMap<RecallGarden, number>();
  let gardens = 0;
  return (garden: RecallGarden, request: RecallRequest) => {
    const number = numbers.get(garden) ?? ++gardens;
    numbers.set(garden, number);
    return `${number} ${wordsOf(request)}`;
  };
}

/** No two different requests have the same: intent and hints may hold anything, so both are quoted. */
function wordsOf({ intent, max_chunks, token_budget, manifest_hint }: RecallRequest): string {
  return JSON.stringify([max_chunks, token_budget, intent, manifest_hint]);
}

/** When the next unit of a garden ceases to be in force. */
function nextEnd({ passing, until }: RecallGarden, at: number): number {
  let next = Infinity;
  for (const unit of passing) {
    const end = until[unit] ?? Infinity;
    if (end > at && end < next) next = end;
  }
  return next;
}
