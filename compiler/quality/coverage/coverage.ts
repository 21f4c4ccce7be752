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
import { openParaphraser, PARAPHRASES } from '../paraphrase/paraphrase.ts';
import { triggerFilter } from '../paraphrase/stems.ts';
import { openPlacing, type Placed, type Placing } from '../placement.ts';
import type { JudgedUnit } from './judged-unit.ts';
import { findMisplaced, repetitionIn, type Encode } from './misplaced.ts';
import { openSuggestions, type Suggest } from './suggestions.ts';
import { betterTexts, openTexts } from './texts.ts';

export type { JudgedUnit } from './judged-unit.ts';

export interface CoveragePorts {
  /** Null where the index has no vectors. */
  readonly encode: Encoder | null;
  readonly lexicon: Lexicon;
}

/**
 * A unit's own text has to be among so many of the garden's for a paraphrase of its triggers: one that nothing but the
 * trigger itself speaks for is not found by the words of other people (test/bench/coverage.bench.ts).
 */
const TEXT_DEPTH = 20;

/** A unit with what is paraphrased, and the triggers that only repeat its content. */
interface Judged {
  readonly unit: JudgedUnit;
  readonly sources: readonly string[];
  readonly repeated: readonly string[];
}

/** A paraphrase, with what it is asked for. */
interface ParaphraseQuestion {
  readonly by: Judged;
  readonly intent: string;
  readonly paraphrase: string;
}

/** What became of it. */
interface PlacedParaphrase extends ParaphraseQuestion {
  readonly placed: Placed;
  /** The units for which it was meant rather, by their texts; none where the unit's own text is good enough. */
  readonly meantFor: readonly string[];
}

/** §21.8.3: a unit without paraphrases fails too. */
export function passes({ coverage_pct }: Pick<UnitCoverage, 'coverage_pct'>): boolean {
  return coverage_pct >= COVERAGE_THRESHOLD;
}

/**
 * How often units are found by paraphrases of their own triggers, judged by the ranked order alone (§21.8.3). Every
 * unit of the garden competes; a unit that is expired at the instant neither competes nor is judged.
 *
 * @param units those to judge: an agent's own and the shared ones
 * @param now the instant of the judgement, ISO 8601
 */
export async function measureCoverage(
  garden: RecallGarden,
  units: readonly JudgedUnit[],
  ports: CoveragePorts,
  now: string,
): Promise<{ units: UnitCoverage[]; diversity: Diversity }> {
  const placing = openPlacing(garden, now);
  const judged = units.filter(({ name }) => placing.isServed(name)).map((unit) => withSources(garden, unit));
  const asked = askedOf(garden, judged, ports.lexicon);
  const answers = grouped(await answer(garden, judged, asked, placing, ports.encode), ({ by }) => by);
  const suggest = openSuggestions(garden);
  const report = judged.map((by) => judge(by, answers.get(by) ?? [], suggest));
  const sets = [...grouped(asked, ({ intent }) => intent)];
  return {
    units: report.sort((a, b) => (a.name < b.name ? -1 : 1)),
    diversity: measureDiversity(sets.map(([intent, own]) => [intent, own.map(({ paraphrase }) => paraphrase)])),
  };
}

/** Asks the garden, and its texts alone, every paraphrase. */
async function answer(
  garden: RecallGarden,
  judged: readonly Judged[],
  asked: readonly ParaphraseQuestion[],
  placing: Placing,
  encoder: Encoder | null,
): Promise<PlacedParaphrase[]> {
  const encode: Encode = async (all) => (garden.index.vectors && encoder ? encoder.encode(all, 'query') : []);
  const texts = await openTexts(garden, garden.index.vectors && encoder, placing.isServed);
  const misplaced = await findMisplaced(
    garden,
    judged.map(({ unit }) => unit),
    texts,
    encode,
  );
  const vectors = await encode(asked.map(({ paraphrase }) => paraphrase));
  return asked.map((it, i) => {
    const { by, intent, paraphrase } = it;
    const vector = vectors[i] ?? null;
    const owner = misplaced.get(by.unit)?.get(intent);
    const better = betterTexts(texts, texts.score(paraphrase, vector), by.unit.name, MAX_OUTRANKED);
    const meantFor = owner !== undefined ? [owner] : better.count >= TEXT_DEPTH ? better.names : [];
    return { ...it, placed: placing.place(paraphrase, vector, by.unit.name), meantFor };
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
 * A unit's intents, or its description where it has none. Intents that repeat the content are left out while they are
 * few; where most do, the unit has no triggers to speak of, and what they find does not count.
 */
function withSources({ index, facts }: RecallGarden, unit: JudgedUnit): Judged {
  const { intents, description } = unit;
  if (intents.length === 0) return { unit, sources: [description], repeated: [] };
  const content = facts[index.named.get(unit.name) ?? -1]?.content ?? '';
  const repeated = intents.filter(repetitionIn(content, description));
  const isMost = 2 * repeated.length > intents.length;
  return { unit, sources: isMost ? intents : intents.filter((intent) => !repeated.includes(intent)), repeated };
}

/** Paraphrases of what units are judged by; none of them says what a trigger of the garden says. */
function askedOf({ facts }: RecallGarden, judged: readonly Judged[], lexicon: Lexicon): ParaphraseQuestion[] {
  const paraphrase = openParaphraser(lexicon);
  const triggers = facts.flatMap(({ delivery }) => [
    ...delivery.load_triggers.intents,
    ...delivery.load_triggers.keywords,
  ]);
  const isTrigger = triggerFilter(triggers);
  return judged.flatMap((by) =>
    by.sources.flatMap((intent) =>
      paraphrase(intent, PARAPHRASES, isTrigger).map((it) => ({ by, intent, paraphrase: it })),
    ),
  );
}

function judge({ unit, repeated }: Judged, answers: readonly PlacedParaphrase[], suggest: Suggest): UnitCoverage {
  const missed = answers.filter(({ intent, placed: { rank, isPicked }, meantFor }) => {
    return rank === null || rank > COVERAGE_K || !isPicked || meantFor.length > 0 || repeated.includes(intent);
  });
  const misses = missed.map(({ intent, paraphrase, placed, meantFor }): Miss => {
    const above = new Set([...meantFor, ...placed.above]);
    return { intent, paraphrase, rank: placed.rank, outranked_by: [...above].slice(0, MAX_OUTRANKED) };
  });
  const found = answers.length - missed.length;
  const within10 = answers.filter(({ placed }) => placed.rank !== null && placed.rank <= 10).length;
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
