import type { RecallGarden } from '../recall/recall-garden.ts';
import { servingAt } from '../recall/resolve-content.ts';
import { terms } from '../recall/signals/lexical.ts';
import { innerProduct, quantise, type Encoder } from '../recall/signals/semantic.ts';
import type { Probe } from '../schema/source/probe.ts';
import { createScoredRanking, type ScoredOrder } from './placement.ts';

/**
 * The lead, in millionths, by which another unit answers a unit's phrases better where no unit has phrases, in an index
 * with vectors and in one of words alone, whose scores lie further apart. Leads of several phrases over the same rival
 * add up, because phrases that support each other can take a place together. A lower limit would refuse honest phrases,
 * which say what texts do not say (FIGURES.md).
 */
const LEAD = { vectors: 150_000, words: 200_000 };

/** A smaller share of that lead does not count, however many phrases have it. */
const LEAST = 1 / 8;

/** A phrase that finds its unit where another one is needed. */
export interface Capture {
  readonly unit: string;
  readonly phrase: string;
  /** The unit that is needed. */
  readonly rival: string;
  /**
   * The evidence: without phrases the rival answers the phrase; or the phrase takes the rival's first place for an
   * intent.
   */
  readonly by: 'answer' | 'trigger' | 'probe';
  /** The phrase itself, or the trigger or the probe. */
  readonly intent: string;
  /** For that intent, in millionths: without phrases for an answer, with all phrases else. */
  readonly scores: { readonly unit: number; readonly rival: number };
}

/** The phrases and probes that a garden is asked to find captures. */
export interface CaptureQuestions {
  /** The phrases of each unit that has any. */
  readonly phrases: ReadonlyMap<string, readonly string[]>;
  readonly probes: readonly Probe[];
}

/** A garden with phrases, and the same one without any. */
export interface BothGardens {
  readonly phrased: RecallGarden;
  readonly plain: RecallGarden;
}

/**
 * The phrases that capture: those that another unit answers clearly better where no unit has phrases, and those that
 * take the first place of another unit for its trigger or its probe. A unit that is not in force neither captures nor
 * is captured.
 *
 * @param now ISO 8601
 */
export async function findCaptures(
  gardens: BothGardens,
  { phrases, probes }: CaptureQuestions,
  encoder: Encoder | null,
  now: string,
): Promise<Capture[]> {
  const { phrased, plain } = gardens;
  const { absent } = servingAt(phrased, now);
  const owned = phrased.facts.flatMap(({ name, delivery }, unit) =>
    absent.has(unit) ? [] : delivery.load_triggers.intents.map((intent) => ({ intent, units: [name] })),
  );
  const triggers = merged(owned);
  const inForce = new Map(phrased.facts.flatMap(({ name }, unit) => (absent.has(unit) ? [] : [[name, unit] as const])));
  const own = [...phrases].filter(([unit]) => inForce.has(unit));
  const probed = probes.map(({ intent, required }) => ({ intent, units: required }));
  const texts = [...own.flatMap(([, list]) => list), ...[...triggers, ...probed].map(({ intent }) => intent)];
  const queries = await encodeAll(phrased, texts, encoder);
  const rankings: Rankings = {
    names: phrased.index.names,
    numberOf: (unit) => inForce.get(unit) ?? -1,
    plain: rankingOf(plain, queries, now),
    phrased: rankingOf(phrased, queries, now),
    lead: phrased.index.vectors ? LEAD.vectors : LEAD.words,
    nearest: (unit, intent) => nearestOf(phrases.get(unit) ?? [], intent, queries),
  };
  return [
    ...own.flatMap(([unit, list]) => answered(rankings, unit, list)),
    ...triggers.flatMap((it) => taken(rankings, it, 'trigger')),
    ...probed.flatMap((it) => taken(rankings, it, 'probe')),
  ];
}

/** An intent, and the units that should come first for it. */
interface Question {
  readonly intent: string;
  readonly units: readonly string[];
}

/** The ranked orders of a garden with and without phrases, and the phrase of a unit that is nearest to an intent. */
interface Rankings {
  readonly names: readonly string[];
  readonly numberOf: (unit: string) => number;
  readonly plain: (intent: string) => ScoredOrder;
  readonly phrased: (intent: string) => ScoredOrder;
  readonly lead: number;
  readonly nearest: (unit: string, intent: string) => string | null;
}

function rankingOf(garden: RecallGarden, queries: Queries, now: string): Rankings['phrased'] {
  const rank = createScoredRanking(garden, now);
  return (intent) => rank(intent, queries.get(intent) ?? null);
}

/** Intents that several units have as a trigger: each of them may come first. */
function merged(owned: readonly Question[]): Question[] {
  const units = new Map<string, string[]>();
  for (const it of owned) units.set(it.intent, [...(units.get(it.intent) ?? []), ...it.units]);
  return [...units].map(([intent, names]) => ({ intent, units: names }));
}

/** Phrases of a unit that others answer: alone by a clear lead, or some by leads over the same rival that add up. */
function answered(rankings: Rankings, unit: string, phrases: readonly string[]): Capture[] {
  const leads = phrases.flatMap((phrase) => leadsOver(rankings, unit, phrase));
  const ofRival = new Map<number, Lead[]>();
  for (const it of leads) {
    const list = ofRival.get(it.rival);
    if (list) list.push(it);
    else ofRival.set(it.rival, [it]);
  }
  const found = new Map<string, Lead>();
  for (const it of [...ofRival.values()].flatMap((it) => addingUp(it, rankings.lead))) {
    const other = found.get(it.phrase);
    if (!other || it.lead > other.lead || (it.lead === other.lead && it.rival < other.rival)) found.set(it.phrase, it);
  }
  return phrases.flatMap((phrase) => {
    const it = found.get(phrase);
    if (!it) return [];
    const scores = { unit: it.own, rival: it.own + it.lead };
    return [{ unit, phrase, rival: rankings.names[it.rival] ?? '', by: 'answer', intent: phrase, scores }];
  });
}

/** Lead of another unit over a phrase's own unit, as an answer to the phrase. */
interface Lead {
  readonly phrase: string;
  readonly rival: number;
  readonly lead: number;
  readonly own: number;
}

function leadsOver({ numberOf, plain, lead: needed }: Rankings, unit: string, phrase: string): Lead[] {
  const { order, total } = plain(phrase);
  const own = total[numberOf(unit)] ?? 0;
  const leads = order.map((rival) => ({ phrase, rival, own, lead: (total[rival] ?? 0) - own }));
  return leads.filter(({ lead }) => lead >= LEAST * needed);
}

/** The largest leads that add up to the one needed if each counts as the least of them: no tiny lead is among them. */
function addingUp(leads: readonly Lead[], needed: number): Lead[] {
  const sorted = [...leads].sort((a, b) => b.lead - a.lead);
  const last = sorted.findLastIndex(({ lead }, i) => lead * (i + 1) >= needed);
  return sorted.slice(0, last + 1);
}

function taken(
  { names, plain, phrased, nearest }: Rankings,
  { intent, units }: Question,
  by: 'trigger' | 'probe',
): Capture[] {
  const now = phrased(intent);
  const first = now.order[0];
  const unit = names[first ?? -1] ?? '';
  if (first === undefined || units.includes(unit)) return [];
  const phrase = nearest(unit, intent);
  const before = plain(intent).order[0];
  const rival = names[before ?? -1] ?? '';
  if (phrase === null || before === undefined || !units.includes(rival)) return [];
  const scores = { unit: now.total[first] ?? 0, rival: now.total[before] ?? 0 };
  return [{ unit, phrase, rival, by, intent, scores }];
}

type Queries = ReadonlyMap<string, Int8Array | null>;

async function encodeAll({ index }: RecallGarden, texts: readonly string[], encoder: Encoder | null): Promise<Queries> {
  const distinct = [...new Set(texts)];
  const { vectors } = index;
  const encoded = vectors && encoder ? await encoder.encode(distinct, 'query') : [];
  return new Map(distinct.map((text, i) => [text, vectors && quantise(encoded[i] ?? null, vectors.mean)]));
}

/** The phrase nearest to an intent: by its vector, or by common words where one has none; null without phrases. */
function nearestOf(phrases: readonly string[], intent: string, queries: Queries): string | null {
  const asked = queries.get(intent) ?? null;
  const said = new Set(terms(intent, false));
  let best: { readonly phrase: string; readonly score: number } | null = null;
  for (const phrase of phrases) {
    const own = queries.get(phrase) ?? null;
    const score = asked && own ? innerProduct(asked, own) : terms(phrase, false).filter((it) => said.has(it)).length;
    if (best === null || score > best.score) best = { phrase, score };
  }
  return best && best.phrase;
}
