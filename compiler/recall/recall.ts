import type { Chunk, MissingUnit, Outcome, ComputedRecall, RecallResponse } from '../schema/api/recall.ts';
import { chooseCandidates, namedCandidates, type Candidates } from './candidates.ts';
import { explain } from './explain.ts';
import { unitsAbout, type FileMatch } from './files/garden-files.ts';
import { chooseAbout } from './files/place-by-files.ts';
import { approximateSearch } from './rank/approximate-search.ts';
import { boost } from './rank/boost.ts';
import { isLowConfidence } from './rank/confidence.ts';
import { rankUnits, scoreUnits, type Scores } from './rank/rank.ts';
import { readHints } from './read-hints.ts';
import type { RecallContext, RecallGarden } from './recall-garden.ts';
import { servingAt, type Serving, type SkillServing } from './resolve-content.ts';
import { select, type Selection } from './select.ts';
import { SCALE } from './signals/lexical.ts';
import { skillNote } from './skill-note.ts';

export type Recalled = Omit<RecallResponse, 'audit_token'> & {
  /** Units that matched, were hinted or are guaranteed, but are not in the answer; with the reason. */
  readonly left_out: readonly { readonly name: string; readonly outcome: Outcome }[];
  /** sha256 of the whole text of each chunk's unit, in the order of the chunks. */
  readonly content_digests: readonly string[];
};

/** Units beyond `max_chunks` are named in the audit up to this rank. */
const NAMED_RANKS = 50;

/**
 * From an intent to chunks (§21.3, DESIGN §6.6): hints, then ranked units, of which one may come by the files of the
 * request, then guaranteed units; and, if asked for, the next best units by name. Pure: the same garden, request and
 * instant give the same answer.
 */
export function recall(garden: RecallGarden, request: ComputedRecall, context: RecallContext): Recalled {
  const serving = servingAt(garden, context.now, skillServing(request));
  const usable = (unit: number) => !serving.absent.has(unit);
  const hints = readHints(garden, request.manifest_hint);
  const { matches, isWhole } = unitsAbout(garden.files, request.files);
  const wanted = [...hints.flatMap(({ unit }) => unit ?? []), ...matches.keys()];
  const plain = score(garden, request.intent, wanted, context.query, usable);
  const scores = { ...plain, total: boost(plain.total, garden) };
  const ranked = rankUnits(scores, usable);
  const { about, isPage } = chooseAbout(matches, request.near_share !== undefined, usable, ranked, scores.total);
  const limits = { ...request, hints, about, isPage, total: scores.total };
  const picked = select(garden, limits, serving, ranked);
  const chunks = picked.order.map((unit) => toChunk(garden, serving, scores, unit));
  const candidates = chooseCandidates(garden, request, ranked, picked.order, about);
  const unavailable = missingOf(garden, serving);
  return {
    chunks,
    total_tokens: chunks.reduce((total, chunk) => total + chunk.tokens, 0),
    truncated: [...picked.outcomes.values()].includes('over_token_budget'),
    missed_hints: picked.missed,
    warnings: warningsOf(isLowConfidence(garden.index, plain, ranked, context.query), isWhole, unavailable.length > 0),
    ...(unavailable.length > 0 && { unavailable }),
    left_out: leftOut(garden, serving, picked, ranked),
    ...(about !== null && byFiles(garden, about, matches, { picked, candidates })),
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

function skillServing({ token_budget: budget, missing_skills }: ComputedRecall): SkillServing {
  const missing = missing_skills && new Set(missing_skills);
  return { budget, isOnDisk: ({ name }) => missing?.has(name) === false };
}

function warningsOf(isLow: boolean, isWhole: boolean, isMissing: boolean): Recalled['warnings'] {
  return [
    ...(isLow ? (['low_confidence'] as const) : []),
    ...(isWhole ? [] : (['files_not_compared'] as const)),
    ...(isMissing ? (['guaranteed_unit_unavailable'] as const) : []),
  ];
}

/** §21.3.3 “not silently dropped”: the guaranteed units that have nothing to serve, by name. */
function missingOf({ facts, guaranteed }: RecallGarden, { absent }: Serving): MissingUnit[] {
  return guaranteed.flatMap((unit) => {
    const outcome = absent.get(unit);
    return outcome === undefined ? [] : [{ name: facts[unit]?.name ?? '', outcome }];
  });
}

/** Scores a garden's units: all of them, or the candidates only if the garden is so large that it has an ANN graph. */
function score(
  { index, guaranteed, boosted }: RecallGarden,
  intent: string,
  asked: readonly number[],
  query: Int8Array | null,
  usable: (unit: number) => boolean,
): Scores {
  const wanted = [...asked, ...guaranteed, ...boosted];
  if (query === null || index.ann === null) return scoreUnits(index, intent, query, { usable, wanted });
  return approximateSearch(index, index.ann, intent, query, wanted);
}

function toChunk({ facts }: RecallGarden, { serve }: Serving, { total }: Scores, unit: number): Chunk {
  const fact = facts[unit];
  const served = serve(unit);
  if (!fact || !served) throw new TypeError('a unit that cannot be served was selected');
  const note = skillNote(fact, served);
  return {
    name: fact.name,
    fact_uri: fact.uri,
    content: served.content,
    tokens: served.tokens,
    valid_until: served.source === 'fallback_path' ? null : fact.valid_until,
    version: `v${fact.version}`,
    score: (total[unit] ?? 0) / SCALE,
    source: served.source,
    ...(served.isPart && { is_part: true as const }),
    ...(note !== '' && { note }),
  };
}

/** Why a unit came by the files of the request, as a chunk or as a candidate; nothing if it is there without them. */
function byFiles(
  { facts }: RecallGarden,
  unit: number,
  matches: ReadonlyMap<number, FileMatch>,
  { picked, candidates }: { readonly picked: Selection; readonly candidates: Candidates },
): Pick<RecallResponse, 'by_files'> {
  const match = matches.get(unit);
  const came = picked.outcomes.get(unit) === 'files' || candidates.units.includes(unit);
  return match && came ? { by_files: { name: facts[unit]?.name ?? '', ...match } } : {};
}

function leftOut(
  { facts }: RecallGarden,
  { absent }: Serving,
  { outcomes }: Selection,
  ranked: readonly number[],
): Recalled['left_out'] {
  const near = new Set(ranked.slice(0, NAMED_RANKS));
  const named = [...outcomes].filter(
    ([unit, outcome]) =>
      outcome === 'over_token_budget' || outcome === 'displaced' || (outcome === 'over_max_chunks' && near.has(unit)),
  );
  return [...named, ...absent]
    .sort(([a], [b]) => a - b)
    .map(([unit, outcome]) => ({ name: facts[unit]?.name ?? '', outcome }));
}
