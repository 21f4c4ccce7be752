import type { RecallGarden } from '../../recall/recall-garden.ts';
import type { Suggestion, UnsolvedProbe } from '../../schema/report/suggestion.ts';
import type { Probe, ProbeResult } from '../../schema/source/probe.ts';
import { compareProbes, passes, runProbes, type QueryOf } from '../probes.ts';
import { wordingsOf, type Wording } from './wording.ts';

/** What units would be given, by their names. */
export type Rewordings = ReadonlyMap<string, Wording>;

/** A garden that can be planted again with other words, and what holds it to account. */
export interface PreviewGarden {
  readonly probes: readonly Probe[];
  readonly units: ReadonlySet<string>;
  readonly plant: (rewordings: Rewordings) => Promise<RecallGarden>;
  readonly queryOf: (garden: RecallGarden) => QueryOf;
  /** Units that the coverage gate would refuse (§21.8.3). */
  readonly refused: (garden: RecallGarden) => Promise<readonly string[]>;
}

export interface RewordOptions {
  readonly k: number;
  /** The instant that is asked for, ISO 8601. */
  readonly now: string;
  /** Gardens of other agents, which a change of a shared unit changes too. */
  readonly others: readonly PreviewGarden[];
  readonly isShared: (unit: string) => boolean;
}

export interface Reworded {
  readonly suggestions: readonly Suggestion[];
  readonly unsolved: readonly UnsolvedProbe[];
  /** Probes that pass with all suggestions together, and did not before. */
  readonly won: readonly string[];
}

/** A coverage gate takes as long as a hundred probes: so many wordings of one unit are held to it. */
const MOST_GATED = 8;

/** How a bed fares with some rewordings. */
interface Fare {
  readonly bed: PreviewGarden;
  readonly garden: RecallGarden;
  readonly results: readonly ProbeResult[];
  readonly refused: ReadonlySet<string>;
}

/**
 * Looks for words that win lost probes without losing another, in any garden that they change, and without failing a
 * unit at the coverage gate. The fewest words first; suggestions build on one another, in the order of the probes.
 *
 * @param lost the probes to win
 */
export async function reword(bed: PreviewGarden, lost: readonly Probe[], options: RewordOptions): Promise<Reworded> {
  const suggestions: Suggestion[] = [];
  const unsolved: UnsolvedProbe[] = [];
  const first = await fare(bed, new Map(), options);
  let changes: Rewordings = new Map();
  for (const probe of lost) {
    const found = await win(bed, probe, changes, options);
    if (Array.isArray(found)) {
      suggestions.push(...found);
      changes = found.reduce<Rewordings>((all, it) => withWording(all, it.unit, it), changes);
    } else {
      unsolved.push(found);
    }
  }
  const last = await fare(bed, changes, options);
  return { suggestions, unsolved, won: compareProbes(first.results, last.results, options.k).won };
}

/** The suggestions that win one probe, unit by unit; none where it passes, or why there are none. */
async function win(
  bed: PreviewGarden,
  probe: Probe,
  standing: Rewordings,
  options: RewordOptions,
): Promise<Suggestion[] | UnsolvedProbe> {
  const { k } = options;
  const found: Suggestion[] = [];
  let changes = standing;
  for (;;) {
    const result = await askOne(bed, await bed.plant(changes), probe, options);
    const missing = result.required.find(({ rank }) => rank === null || rank > k);
    const unwanted = result.forbidden.find(({ rank }) => rank !== null && rank <= k);
    if (!missing) {
      if (!unwanted) return found;
      return { probe: probe.intent, unit: unwanted.name, reason: 'forbidden_comes', tried: 0, costs: [] };
    }
    // two units that push each other out would go on for ever
    if (found.some(({ unit }) => unit === missing.name)) {
      return { probe: probe.intent, unit: missing.name, reason: 'nothing_wins', tried: 0, costs: [] };
    }
    const step = await winUnit(bed, probe, missing, changes, options);
    if ('reason' in step) return step;
    found.push(step);
    changes = withWording(changes, step.unit, step);
  }
}

/** The first wording that brings a unit up for a probe, and costs nothing. */
async function winUnit(
  bed: PreviewGarden,
  probe: Probe,
  { name: unit, rank: rank_before }: ProbeResult['required'][number],
  changes: Rewordings,
  options: RewordOptions,
): Promise<Suggestion | UnsolvedProbe> {
  const shared = options.isShared(unit);
  const beds = [bed, ...(shared ? options.others.filter((it) => it.units.has(unit)) : [])];
  const before = await Promise.all(beds.map((it) => fare(it, changes, options)));
  let tried = 0;
  let gated = 0;
  let costs: string[] | null = null;
  for (const wording of wordingsOf(before[0]?.garden ?? (await bed.plant(changes)), unit, probe.intent)) {
    tried += 1;
    const after = withWording(changes, unit, wording);
    const { required } = await askOne(bed, await bed.plant(after), probe, options);
    const rank_after = required.find((it) => it.name === unit)?.rank ?? Infinity;
    if (rank_after > options.k) continue;
    const lost = await lostBy(before, after, options);
    if (lost.length === 0) return { unit, shared, ...wordsOf(wording), probe: probe.intent, rank_before, rank_after };
    costs = costs === null || lost.length < costs.length ? lost : costs;
    gated += 1;
    if (gated >= MOST_GATED) break;
  }
  return {
    probe: probe.intent,
    unit,
    reason: costs === null ? 'nothing_wins' : 'others_lost',
    tried,
    costs: costs ?? [],
  };
}

/** Probes that would pass no longer, and units that the gate would no longer let through. */
async function lostBy(before: readonly Fare[], changes: Rewordings, { k, now }: RewordOptions): Promise<string[]> {
  const lost: string[] = [];
  for (const { bed, results, refused } of before) {
    const garden = await bed.plant(changes);
    lost.push(...compareProbes(results, await runProbes(garden, bed.probes, bed.queryOf(garden), now), k).lost);
    // asked last and only where it matters: it takes longest
    if (lost.length > 0) continue;
    lost.push(...(await bed.refused(garden)).filter((unit) => !refused.has(unit)));
  }
  return [...new Set(lost)];
}

async function fare(bed: PreviewGarden, changes: Rewordings, { now }: RewordOptions): Promise<Fare> {
  const garden = await bed.plant(changes);
  const results = await runProbes(garden, bed.probes, bed.queryOf(garden), now);
  return { bed, garden, results, refused: new Set(await bed.refused(garden)) };
}

async function askOne(
  bed: PreviewGarden,
  garden: RecallGarden,
  probe: Probe,
  { now }: RewordOptions,
): Promise<ProbeResult> {
  const [result] = await runProbes(garden, [probe], bed.queryOf(garden), now);
  if (!result) throw new TypeError('a probe has no result');
  return result;
}

/** The probes of a bed that do not pass as it is. */
export async function lostProbes(bed: PreviewGarden, { k, now }: Pick<RewordOptions, 'k' | 'now'>): Promise<Probe[]> {
  const garden = await bed.plant(new Map());
  const results = await runProbes(garden, bed.probes, bed.queryOf(garden), now);
  return bed.probes.filter((_, at) => {
    const result = results[at];
    return result && !passes(result, k);
  });
}

function withWording(changes: Rewordings, unit: string, more: Wording): Rewordings {
  const known = changes.get(unit) ?? { intents: [], keywords: [], aliases: [] };
  const joined = {
    intents: [...known.intents, ...more.intents],
    keywords: [...known.keywords, ...more.keywords],
    aliases: [...known.aliases, ...more.aliases],
  };
  return new Map([...changes, [unit, joined]]);
}

function wordsOf({ intents, keywords, aliases }: Wording): Pick<Suggestion, 'intents' | 'keywords' | 'aliases'> {
  return { intents: [...intents], keywords: [...keywords], aliases: [...aliases] };
}
