import type { RecallGarden } from '../../compiler/recall/recall-garden.ts';
import type { Recalled } from '../../compiler/recall/recall.ts';
import type { Chunk, ComputedRecall, RecallResponse } from '../../compiler/schema/api/recall.ts';
import { digestOfTexts } from '../../compiler/trust/canonical.ts';

/** The result of a recall without its audit token. */
export interface CachedAnswer extends Pick<Recalled, 'left_out'> {
  readonly answer_digest: string;
  readonly response: Omit<RecallResponse, 'audit_token'>;
  /** The response as JSON, up to where the token is appended. */
  readonly json: string;
}

/**
 * A cache of answers. Garden, request and instant determine an answer (§21.3.4), so it is valid for the same request
 * until a unit of its garden expires; withdrawing a fact makes a new garden.
 */
export interface AnswerCache {
  /** Unique for a request of a garden. */
  readonly keyOf: (garden: RecallGarden, request: ComputedRecall) => string;
  /** @param at milliseconds since 1970 */
  readonly find: (key: string, at: number) => CachedAnswer | null;
  /** Keeps the answer if its request came before: most requests never come again, and a kept answer costs memory. */
  readonly keep: (key: string, garden: RecallGarden, at: number, recalled: Recalled) => CachedAnswer;
}

interface CacheEntry extends CachedAnswer {
  /** Valid from and until, in milliseconds since 1970. */
  readonly from: number;
  readonly until: number;
}

/** Capacity in characters of requests and answers, in all and for one entry. */
const MAX_SIZE = 4_000_000;
const MAX_ENTRY_SIZE = 16_000;

export function toCachedAnswer({ left_out, content_digests, ...response }: Recalled): CachedAnswer {
  return { response, left_out, answer_digest: digestOfTexts(content_digests), json: jsonOf(response) };
}

/** A response as JSON without its last brace: what `JSON.stringify` makes of it, but each text is quoted once. */
function jsonOf({ chunks, ...rest }: CachedAnswer['response']): string {
  return `{"chunks":[${chunks.map(chunkJson).join(',')}],${JSON.stringify(rest).slice(1, -1)}`;
}

function chunkJson({ name, fact_uri, content, tokens, valid_until, version, score, source, ...skill }: Chunk): string {
  const head = `{"name":${JSON.stringify(name)},"fact_uri":${JSON.stringify(fact_uri)},"content":${quoted(content)}`;
  const term = `"valid_until":${JSON.stringify(valid_until)},"version":${JSON.stringify(version)}`;
  const more = JSON.stringify(skill).slice(1, -1);
  return `${head},"tokens":${tokens},${term},"score":${score},"source":"${source}"${more && `,${more}`}}`;
}

/** Characters of quoted texts that are remembered; all are forgotten when there are more. */
const MAX_QUOTED = 4_000_000;
const quotations = new Map<string, string>();
let quotedSize = 0;

/** A text as JSON. Few texts are in most answers, and to escape a page takes longer than to rank a garden. */
function quoted(text: string): string {
  const known = quotations.get(text);
  if (known !== undefined) return known;
  const found = JSON.stringify(text);
  if (quotedSize > MAX_QUOTED) {
    quotations.clear();
    quotedSize = 0;
  }
  quotations.set(text, found);
  quotedSize += found.length;
  return found;
}

/** A request that came once has no answer yet. */
type Generation = Map<string, CacheEntry | null>;

/**
 * Keeps the most recently used answers, in two generations: a full one replaces the one before it, and an answer that
 * is found in the older one moves to the younger one. `lru-cache` would expire entries by its own clock, and not check
 * instants. One map with its oldest key deleted for each new one is slow: it searches for its first key among the
 * deleted ones.
 */
export function createAnswerCache(): AnswerCache {
  let young: Generation = new Map();
  let old: Generation = new Map();
  let size = 0;
  const put = (key: string, entry: CacheEntry | null) => {
    young.set(key, entry);
    size += key.length + (entry?.json.length ?? 0);
    if (size < MAX_SIZE / 2) return;
    old = young;
    young = new Map();
    size = 0;
  };
  const look = (key: string) => {
    const found = young.get(key);
    if (found !== undefined) return found;
    const older = old.get(key);
    if (older !== undefined) put(key, older);
    return older;
  };
  return {
    keyOf: gardenKeys(),
    find: (key, at) => {
      const found = look(key) ?? null;
      return found !== null && at >= found.from && at < found.until ? found : null;
    },
    keep: (key, garden, at, recalled) => {
      const answer = toCachedAnswer(recalled);
      const isKept = look(key) !== undefined && key.length + answer.json.length <= MAX_ENTRY_SIZE;
      put(key, isKept ? { ...answer, from: at, until: nextEnd(garden, at) } : null);
      return answer;
    },
  };
}

/** The key of a request of one garden; weak, so that the cache does not keep an unserved garden in memory. */
function gardenKeys(): AnswerCache['keyOf'] {
  const numbers = new WeakMap<RecallGarden, number>();
  let gardens = 0;
  return (garden, request) => {
    const number = numbers.get(garden) ?? ++gardens;
    numbers.set(garden, number);
    return `${number} ${requestKey(request)}`;
  };
}

/**
 * Unique per request: quoted hints and files have no line break, and the intent, which may contain any character, is
 * the rest. The followed token is not in it, because it changes no answer.
 */
function requestKey(request: ComputedRecall): string {
  const { intent, max_chunks, token_budget, manifest_hint, candidates, candidates_budget, files } = request;
  const { near_share = '', missing_skills: missing } = request;
  const quoted = [manifest_hint, files].map((it) => (it.length === 0 ? '' : JSON.stringify(it)));
  const skills = missing === undefined ? '' : JSON.stringify(missing);
  return `${max_chunks} ${token_budget} ${candidates} ${candidates_budget} ${near_share} ${skills} ${quoted.join(' ')}\n${intent}`;
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
