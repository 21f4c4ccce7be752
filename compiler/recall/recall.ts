import type { Fact } from '../model/fact.ts';
import type { Chunk, Outcome, RecallRequest, RecallResponse } from '../model/recall.ts';
import { explain } from './explain.ts';
import type { RecallContext, RecallGarden } from './garden.ts';
import { SCALE } from './lexical.ts';
import { pick } from './pick.ts';
import { rankUnits, scoreUnits } from './rank.ts';
import { serve, type Served } from './serve.ts';

export type Recalled = Omit<RecallResponse, 'audit_token'> & {
  /** Units that matched, were asked for or are guaranteed, and did not come; with the reason. */
  readonly left_out: readonly { readonly name: string; readonly outcome: Outcome }[];
};

/** Of the units beyond `max_chunks`, those up to this rank are named in the audit. */
const NAMED_RANKS = 50;

/**
 * Intent to chunks (§21.3, DESIGN §6.6): hints, then ranked, then guaranteed. Pure: the same garden,
 * request and instant give the same answer.
 */
export function recall(garden: RecallGarden, request: RecallRequest, context: RecallContext): Recalled {
  const scores = scoreUnits(garden.index, request.intent, context.query);
  const served = garden.facts.map((fact) => serve(fact, garden.fallbacks, context.now));
  const ranked = rankUnits(scores, (unit) => served[unit] !== null);
  const picked = pick(garden, request, served, ranked);
  const chunks = picked.order.map((unit) => toChunk(garden.facts[unit], served[unit], scores.total[unit]));
  const outcomes = garden.facts.map((fact, unit) => picked.outcomes.get(unit) ?? absent(fact, served[unit]));
  return {
    chunks,
    total_tokens: chunks.reduce((total, chunk) => total + chunk.tokens, 0),
    truncated: outcomes.includes('over_token_budget'),
    missed_hints: picked.missed,
    warnings: ranked.length === 0 ? ['low_confidence'] : [],
    left_out: leftOut(garden, outcomes, ranked),
    ...(context.explain && {
      explain: explain(garden, context, scores, ranked, outcomes, served, picked.budget),
    }),
  };
}

function absent(fact: Fact, served: Served | null | undefined): Outcome {
  if (served) return 'no_match';
  return fact.content !== '' ? 'expired' : 'unavailable';
}

function toChunk(fact: Fact | undefined, served: Served | null | undefined, score: number | undefined): Chunk {
  if (!fact || !served) throw new TypeError('a unit that cannot be served was picked');
  return {
    name: fact.name,
    fact_uri: fact.content === '' ? null : fact.uri,
    content: served.content,
    tokens: served.tokens,
    valid_until: served.source === 'stigmem' ? fact.valid_until : null,
    version: `v${fact.version}`,
    score: (score ?? 0) / SCALE,
    source: served.source,
  };
}

function leftOut(garden: RecallGarden, outcomes: readonly Outcome[], ranked: readonly number[]): Recalled['left_out'] {
  const near = new Set(ranked.slice(0, NAMED_RANKS));
  return outcomes.flatMap((outcome, unit) => {
    const named =
      outcome === 'over_token_budget' ||
      outcome === 'expired' ||
      outcome === 'unavailable' ||
      (outcome === 'over_max_chunks' && near.has(unit));
    return named ? [{ name: garden.facts[unit]?.name ?? '', outcome }] : [];
  });
}
