import type { RecallGarden } from '../../recall/recall-garden.ts';
import type { Encoder } from '../../recall/signals/semantic.ts';
import {
  COVERAGE_K,
  COVERAGE_THRESHOLD,
  MAX_MISSES,
  MAX_OUTRANKED,
  type Diversity,
  type Miss,
  type UnitCoverage,
} from '../../schema/bundle/coverage.ts';
import type { Lexicon } from '../../schema/source/lexicon.ts';
import { foundShare } from '../metrics/share.ts';
import { measureDiversity } from '../paraphrase/diversity.ts';
import { createParaphraser, PARAPHRASES } from '../paraphrase/paraphrase.ts';
import { triggerFilter } from '../paraphrase/stems.ts';
import { createPlacer, type Placement, type Placer } from '../placement.ts';
import type { JudgedUnit } from './judged-unit.ts';
import { findMisplaced, repetitionIn, type Encode } from './misplaced.ts';
import { createSuggest, type Suggest } from './suggestions.ts';
import { betterTexts, indexTexts } from './texts.ts';

export type { JudgedUnit } from './judged-unit.ts';

export interface CoveragePorts {
  /** Null where the index has no vectors. */
  readonly encode: Encoder | null;
  readonly lexicon: Lexicon;
}

/**
 * For a paraphrase of its triggers, a unit's own text must be among this many texts of the garden. A unit that only the
 * trigger itself matches is not found by the words of other people (test/bench/coverage.bench.ts).
 */
const TEXT_DEPTH = 20;

/** A unit with the texts to paraphrase, and the triggers that only repeat its content. */
interface Judged {
  readonly unit: JudgedUnit;
  readonly sources: readonly string[];
  readonly repeated: readonly string[];
}

/** A paraphrase, with the unit and the intent that it comes from. */
interface ParaphraseQuestion {
  readonly by: Judged;
  readonly intent: string;
  readonly paraphrase: string;
}

/** A paraphrase with its place in the ranked order. */
interface PlacedParaphrase extends ParaphraseQuestion {
  readonly placement: Placement;
  /** The units whose texts answer it better; empty if the unit's own text is good enough. */
  readonly meantFor: readonly string[];
}

/** §21.8.3: a unit without paraphrases fails too. */
export function passes({ coverage_pct }: Pick<UnitCoverage, 'coverage_pct'>): boolean {
  return coverage_pct >= COVERAGE_THRESHOLD;
}

/**
 * How often units are found by paraphrases of their own triggers, by the ranked order alone (§21.8.3). Every unit of
 * the garden competes, except units that are expired at `now`; these are not judged either.
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
  const judged = units.filter(({ name }) => placer.isServed(name)).map((unit) => withSources(garden, unit));
  const questions = paraphraseAll(garden, judged, ports.lexicon);
  const answers = grouped(await placeAll(garden, judged, questions, placer, ports.encode), ({ by }) => by);
  const suggest = createSuggest(garden);
  const report = judged.map((by) => judge(by, answers.get(by) ?? [], suggest));
  const sets = [...grouped(questions, ({ intent }) => intent)];
  return {
    units: report.sort((a, b) => (a.name < b.name ? -1 : 1)),
    diversity: measureDiversity(sets.map(([intent, own]) => [intent, own.map(({ paraphrase }) => paraphrase)])),
  };
}

/** Ranks the garden, and its texts alone, for every paraphrase. */
async function placeAll(
  garden: RecallGarden,
  judged: readonly Judged[],
  questions: readonly ParaphraseQuestion[],
  placer: Placer,
  encoder: Encoder | null,
): Promise<PlacedParaphrase[]> {
  const encode: Encode = async (all) => (garden.index.vectors && encoder ? encoder.encode(all, 'query') : []);
  const texts = await indexTexts(garden, garden.index.vectors && encoder, placer.isServed);
  const misplaced = await findMisplaced(
    garden,
    judged.map(({ unit }) => unit),
    texts,
    encode,
  );
  const vectors = await encode(questions.map(({ paraphrase }) => paraphrase));
  return questions.map((it, i) => {
    const { by, intent, paraphrase } = it;
    const vector = vectors[i] ?? null;
    const owner = misplaced.get(by.unit)?.get(intent);
    const better = betterTexts(texts, texts.score(paraphrase, vector), by.unit.name, MAX_OUTRANKED);
    const meantFor = owner !== undefined ? [owner] : better.count >= TEXT_DEPTH ? better.names : [];
    return { ...it, placement: placer.place(paraphrase, vector, by.unit.name), meantFor };
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

/**
 * A unit's intents, or its description if it has none. Intents that repeat the content are left out while they are few.
 * If most of them do, all are asked, and those that repeat the content never count as found.
 */
function withSources({ index, facts }: RecallGarden, unit: JudgedUnit): Judged {
  const { intents, description } = unit;
  if (intents.length === 0) return { unit, sources: [description], repeated: [] };
  const content = facts[index.named.get(unit.name) ?? -1]?.content ?? '';
  const repeated = intents.filter(repetitionIn(content, description));
  const isMost = 2 * repeated.length > intents.length;
  return { unit, sources: isMost ? intents : intents.filter((intent) => !repeated.includes(intent)), repeated };
}

/** Paraphrases of the texts by which units are judged, without those that say the same as a trigger of the garden. */
function paraphraseAll({ facts }: RecallGarden, judged: readonly Judged[], lexicon: Lexicon): ParaphraseQuestion[] {
  const paraphrase = createParaphraser(lexicon);
  const triggers = facts.flatMap(({ delivery }) => [
    ...delivery.load_triggers.intents,
    ...delivery.load_triggers.keywords,
  ]);
  const isTrigger = triggerFilter(triggers);
  return judged.flatMap((by) =>
    by.sources.flatMap((intent) =>
      paraphrase(intent, PARAPHRASES, isTrigger).map(({ text }) => ({ by, intent, paraphrase: text })),
    ),
  );
}

function judge({ unit, repeated }: Judged, answers: readonly PlacedParaphrase[], suggest: Suggest): UnitCoverage {
  const missed = answers.filter(({ intent, placement: { rank, isSelected }, meantFor }) => {
    return rank === null || rank > COVERAGE_K || !isSelected || meantFor.length > 0 || repeated.includes(intent);
  });
  const misses = missed.map(({ intent, paraphrase, placement, meantFor }): Miss => {
    const above = new Set([...meantFor, ...placement.above]);
    return { intent, paraphrase, rank: placement.rank, outranked_by: [...above].slice(0, MAX_OUTRANKED) };
  });
  const found = answers.length - missed.length;
  const within10 = answers.filter(({ placement }) => placement.rank !== null && placement.rank <= 10).length;
  const coverage_pct = foundShare(found, answers.length);
  return {
    name: unit.name,
    paraphrases: answers.length,
    found,
    coverage_pct,
    hit_at_10: foundShare(within10, answers.length),
    judged_by: unit.intents.length > 0 ? 'intents' : 'description',
    repeats_content: [...repeated],
    misses: misses.slice(0, MAX_MISSES),
    suggested_words: passes({ coverage_pct }) ? [] : suggest(unit, misses),
  };
}
