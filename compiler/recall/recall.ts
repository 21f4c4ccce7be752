import type { Chunk, Outcome, RecallRequest, RecallResponse } from '../schema/api/recall.ts';
import { chooseCandidates, namedCandidates } from './candidates.ts';
import { explain } from './explain.ts';
import { approximateSearch } from './rank/approximate-search.ts';
import { boost } from './rank/boost.ts';
import { isLowConfidence } from './rank/confidence.ts';
import { rankUnits, scoreUnits, type Scores } from './rank/rank.ts';
import { readHints, type Hint } from './read-hints.ts';
import type { RecallContext, RecallGarden } from './recall-garden.ts';
import { servingAt, type Serving } from './resolve-content.ts';
import { select, type Selection } from './select.ts';
import { SCALE } from './signals/lexical.ts';

export type Recalled = Omit<RecallResponse, 'audit_token'> & {
  /** Units that matched, were hinted or are guaranteed, but are not in the answer; with the reason. */
  readonly left_out: readonly { readonly name: string; readonly outcome: Outcome }[];
  /** sha256 of each chunk's text, in the order of the chunks. */
  readonly content_digests: readonly string[];
};

/** Units beyond `max_chunks` are named in the audit up to this rank. */
const NAMED_RANKS = 50;

/**
 * From an intent to chunks (§21.3, DESIGN §6.6): hints, then ranked units, then guaranteed units; and, if
 * asked for, the next best units by name. Pure: the same garden,
 * request and instant give the same answer.
 */
export function recall(garden: RecallGarden, request: RecallRequest, context: RecallContext): Recalled {
  const serving = servingAt(garden, context.now);
  const usable = (unit: number) => !serving.absent.has(unit);
  const hints = readHints(garden, request.manifest_hint);
  const plain = score(garden, request.intent, hints, context.query, usable);
  const scores = { ...plain, total: boost(plain.total, garden.boosted) };
  const ranked = rankUnits(scores, usable);
  const picked = select(garden, { ...request, hints }, serving, ranked);
  const chunks = picked.order.map((unit) => toChunk(garden, serving, scores, unit));
  const candidates = chooseCandidates(garden, request, ranked, picked.order);
  const asked = { intent: request.intent, query: context.query };
  return {
    chunks,
    total_tokens: chunks.reduce((total, chunk) => total + chunk.tokens, 0),
    truncated: [...picked.outcomes.values()].includes('over_token_budget'),
    missed_hints: picked.missed,
    warnings: isLowConfidence(garden.index, plain, ranked, asked) ? ['low_confidence'] : [],
    left_out: leftOut(garden, serving, picked, ranked),
    ...(request.candidates > 0 && {
      candidates: namedCandidates(garden, candidates),
      more_candidates: candidates.more,
    }),
    content_digests: picked.order.map((unit) => serving.serve(unit)?.digest ?? ''),
    ...(context.explain && {
      explain: explain(garden, request, context, {
        approximate: scores.approximate,
        ranked,
        picked,
        candidates,
        serving,
      }),
    }),
  };
}

/** Scores a garden's units: all of them, or the candidates only if the garden is so large that it has an ANN graph. */
function score(
  { index, guaranteed, boosted }: RecallGarden,
  intent: string,
  hints: readonly Hint[],
  query: Int8Array | null,
  usable: (unit: number) => boolean,
): Scores {
  const wanted = [...hints.flatMap(({ unit }) => unit ?? []), ...guaranteed, ...boosted];
  if (query === null || index.ann === null) return scoreUnits(index, intent, query, { usable, wanted });
  return approximateSearch(index, index.ann, intent, query, wanted);
}

function toChunk({ facts }: RecallGarden, { serve }: Serving, { total }: Scores, unit: number): Chunk {
  const fact = facts[unit];
  const served = serve(unit);
  if (!fact || !served) throw new TypeError('a unit that cannot be served was selected');
  return {
    name: fact.name,
    fact_uri: fact.content === '' ? null : fact.uri,
    content: served.content,
    tokens: served.tokens,
    valid_until: served.source === 'stigmem' ? fact.valid_until : null,
    version: `v${fact.version}`,
    score: (total[unit] ?? 0) / SCALE,
    source: served.source,
  };
}

function leftOut(
  { facts }: RecallGarden,
  { absent }: Serving,
  { outcomes }: Selection,
  ranked: readonly number[],
): Recalled['left_out'] {
  const near = new Set(ranked.slice(0, NAMED_RANKS));
  const named = [...outcomes].filter(
    ([unit, outcome]) => outcome === 'over_token_budget' || (outcome === 'over_max_chunks' && near.has(unit)),
  );
  return [...named, ...absent]
    .sort(([a], [b]) => a - b)
    .map(([unit, outcome]) => ({ name: facts[unit]?.name ?? '', outcome }));
}
