import type { RecallGarden } from '../../recall/recall-garden.ts';
import { quantise, type Encoder } from '../../recall/signals/semantic.ts';
import {
  COVERAGE_K,
  isHardToFind,
  MAX_MISSES,
  MAX_OUTRANKED,
  passes,
  type Diversity,
  type TextRule,
  type UnitCoverage,
} from '../../schema/bundle/coverage.ts';
import type { KeptResults } from '../../schema/kept-results.ts';
import type { Lexicon } from '../../schema/source/lexicon.ts';
import { foundShare } from '../metrics/share.ts';
import { measureDiversity } from '../paraphrase/diversity.ts';
import type { IsOtherLanguage } from '../paraphrase/language.ts';
import { createPlacer, type Placement, type Placer } from '../placement.ts';
import { findabilityOf, type LeftOutAnswer } from './findability.ts';
import type { JudgedUnit } from './judged-unit.ts';
import { leaveTriggersOut } from './left-out.ts';
import { findMisplaced, repeatedTriggers, type Encode } from './misplaced.ts';
import { otherLanguageIn, paraphraseAll, type ParaphraseQuestion } from './questions.ts';
import { createSuggest, type Suggest } from './suggestions.ts';
import { applyTextRules, type CheckedParaphrase } from './text-rules.ts';
import { betterTexts, indexTexts, leadingTexts } from './texts.ts';

export type { JudgedUnit } from './judged-unit.ts';

export interface CoveragePorts {
  /** Null where the index has no vectors. */
  readonly encode: Encoder | null;
  readonly lexicon: Lexicon;
  /** Paraphrases of earlier runs. */
  readonly kept?: KeptResults | null;
}

/**
 * For a paraphrase of its triggers, a unit's own text must be among this many texts of the garden. A unit that only the
 * trigger itself matches is not found by the words of other people (test/bench/coverage/coverage.bench.ts).
 */
const TEXT_DEPTH = 20;

/** A paraphrase with its place in the ranked order, and the text rules that it breaks. */
interface PlacedParaphrase extends ParaphraseQuestion, CheckedParaphrase {
  readonly placement: Placement;
  readonly leftOut: LeftOutAnswer;
}

/**
 * How often units are found by paraphrases of their own triggers, by the ranked order alone (§21.8.3). Every unit of
 * the garden competes, except units that are expired at `now`; these are not judged either. Of a unit without a trigger
 * there is nothing to judge (S8).
 *
 * @param units the units to judge: an agent's own and the shared ones
 * @param now ISO 8601
 */
export async function measureCoverage(
  garden: RecallGarden,
  units: readonly JudgedUnit[],
  ports: CoveragePorts,
  now: string,
): Promise<{ units: UnitCoverage[]; diversity: Diversity }> {
  const placer = createPlacer(garden, now);
  const judged = units.filter(({ name }) => placer.isServed(name));
  const questions = paraphraseAll(garden, judged, ports.lexicon, ports.kept);
  const repeated = new Map(judged.map((unit) => [unit, repeatedTriggers(garden, unit)]));
  const placed = await placeAll(garden, { judged, questions, repeated }, placer, ports.encode);
  const answers = grouped(placed, ({ unit }) => unit);
  const suggest = createSuggest(garden);
  const mostRepeat = (unit: JudgedUnit) => 2 * (repeated.get(unit) ?? []).length > unit.intents.length;
  const isOther = otherLanguageIn(garden, ports.lexicon);
  const report = judged.map((unit) =>
    withLanguage(judge(unit, answers.get(unit) ?? [], mostRepeat(unit), suggest), isOther),
  );
  const sets = [...grouped(questions, ({ intent }) => intent)];
  return {
    units: report.sort((a, b) => (a.name < b.name ? -1 : 1)),
    diversity: measureDiversity(sets.map(([intent, own]) => [intent, own.map(({ paraphrase }) => paraphrase)])),
  };
}

/** The units to judge, with their paraphrases and with the triggers that only repeat their content. */
interface AskedUnits {
  readonly judged: readonly JudgedUnit[];
  readonly questions: readonly ParaphraseQuestion[];
  readonly repeated: ReadonlyMap<JudgedUnit, readonly string[]>;
}

/** Ranks the garden, and its texts alone, for every paraphrase. */
async function placeAll(
  garden: RecallGarden,
  { judged, questions, repeated }: AskedUnits,
  placer: Placer,
  encoder: Encoder | null,
): Promise<PlacedParaphrase[]> {
  const encode: Encode = async (all) => (garden.index.vectors && encoder ? encoder.encode(all, 'query') : []);
  const texts = await indexTexts(garden, garden.index.vectors && encoder, placer.isServed);
  const misplaced = await findMisplaced(garden, judged, texts, encode);
  const scoreLeftOut = await leaveTriggersOut(garden, judged, encoder);
  const vectors = await encode(questions.map(({ paraphrase }) => paraphrase));
  return questions.map((it, i) => {
    const { unit, intent, paraphrase } = it;
    const vector = vectors[i] ?? null;
    const query = garden.index.vectors && quantise(vector, garden.index.vectors.mean);
    const placement = placer.place(paraphrase, query, unit.name);
    const { rank, isSelected } = placement;
    const byText = texts.score(paraphrase, vector);
    const better = betterTexts(texts, byText, unit.name, MAX_OUTRANKED);
    const owner = misplaced.get(unit)?.get(intent);
    const broken = new Map<TextRule, readonly string[]>([
      ...(better.count >= TEXT_DEPTH ? [['coverage_own_text', better.names] as const] : []),
      ...(owner !== undefined ? [['coverage_misplaced', [owner]] as const] : []),
      ...(repeated.get(unit)?.includes(intent) ? [['coverage_repetition', []] as const] : []),
    ]);
    const asked = { text: paraphrase, query, graph: placement.graph };
    const own = scoreLeftOut(unit, intent, asked);
    const leftOut = { own, rivals: placement.rivals, texts: leadingTexts(texts, byText, unit.name) };
    return { ...it, placement, rank, isFound: rank !== null && rank <= COVERAGE_K && isSelected, broken, leftOut };
  });
}

function grouped<T, K>(list: readonly T[], keyOf: (it: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const it of list) {
    const key = keyOf(it);
    const group = groups.get(key);
    if (group) group.push(it);
    else groups.set(key, [it]);
  }
  return groups;
}

/** Says which of the texts that cannot be asked are in another language. */
function withLanguage(judged: UnitCoverage, isOther: IsOtherLanguage): UnitCoverage {
  const others = judged.not_evaluated.filter(isOther);
  return others.length === 0 ? judged : { ...judged, other_language: others };
}

/** Whether the whole trigger is in a paraphrase, whatever its capitals and the marks around it. */
function isVerbatim({ intent, paraphrase }: ParaphraseQuestion): boolean {
  return wordsOf(paraphrase).includes(wordsOf(intent));
}

const wordsOf = (text: string) => ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;

function judge(
  unit: JudgedUnit,
  answers: readonly PlacedParaphrase[],
  mostRepeat: boolean,
  suggest: Suggest,
): UnitCoverage {
  const missed = answers.filter(({ isFound }) => !isFound);
  const misses = missed.slice(0, MAX_MISSES).map(({ intent, paraphrase, placement: { rank, above } }) => {
    return { intent, paraphrase, rank, outranked_by: above.slice(0, MAX_OUTRANKED) };
  });
  const found = answers.length - missed.length;
  const within10 = answers.filter(({ rank }) => rank !== null && rank <= 10).length;
  const judged: Omit<UnitCoverage, 'suggested_words'> = {
    name: unit.name,
    paraphrases: answers.length,
    verbatim: answers.filter(isVerbatim).length,
    found,
    coverage_pct: foundShare(found, answers.length),
    hit_at_10: foundShare(within10, answers.length),
    judged_by: unit.intents.length > 0 ? 'intents' : 'nothing',
    not_evaluated: [...new Set(unit.intents)].filter((it) => !answers.some(({ intent }) => intent === it)),
    misses,
    ...applyTextRules(answers, mostRepeat),
    findability: findabilityOf(answers.map(({ leftOut }) => leftOut)),
  };
  return { ...judged, suggested_words: passes(judged) && !isHardToFind(judged) ? [] : suggest(unit) };
}
