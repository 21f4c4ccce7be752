import type { RecallGarden } from '../../recall/recall-garden.ts';
import type { UnitCoverage } from '../../schema/bundle/coverage.ts';
import type { Suggestion, UnsolvedProbe } from '../../schema/report/suggestion.ts';
import type { Probe, ProbeResult } from '../../schema/source/probe.ts';
import { compareProbes, passes, runProbes, type QueryOf } from '../probes.ts';
import { wordingsOf, type Wording } from './wording.ts';

/** Words to add to units, by unit name. */
export type Rewordings = ReadonlyMap<string, Wording>;

/** A garden that can be rebuilt with added words, and the probes and the gate that judge it. */
export interface PreviewGarden {
  readonly probes: readonly Probe[];
  /** The phrases of a unit. */
  readonly phrasesOf: (unit: string) => readonly string[];
  readonly units: ReadonlySet<string>;
  readonly build: (rewordings: Rewordings) => Promise<RecallGarden>;
  readonly queryOf: (garden: RecallGarden) => QueryOf;
  /** Coverage of these units, as the coverage gate measures it; of all units if null. */
  readonly coverage: (garden: RecallGarden, only: readonly string[] | null) => Promise<readonly UnitCoverage[]>;
  /** Units that the coverage gate would refuse (§21.8.3). */
  readonly refused: (garden: RecallGarden) => Promise<readonly string[]>;
}

export interface RewordOptions {
  readonly k: number;
  /** ISO 8601. */
  readonly now: string;
  /** Gardens of other agents, which a change of a shared unit affects too. */
  readonly others: readonly PreviewGarden[];
  readonly isShared: (unit: string) => boolean;
}

export interface Reworded {
  readonly suggestions: readonly Suggestion[];
  readonly unsolved: readonly UnsolvedProbe[];
  /** Probes that pass with all suggestions together, and did not before. */
  readonly won: readonly string[];
}

/** The gate takes as long as a hundred probes, so at most this many wordings of one unit are checked by it. */
const MOST_GATED = 8;

/** The results of a garden with some rewordings. */
export interface Evaluation {
  readonly preview: PreviewGarden;
  readonly garden: RecallGarden;
  readonly results: readonly ProbeResult[];
  readonly refused: ReadonlySet<string>;
}

/**
 * Searches for words that win lost probes without losing another probe, in any garden that they change, and without
 * failing a unit at the coverage gate. The fewest words come first; each suggestion builds on the earlier ones.
 *
 * @param lost the probes to win
 */
export async function reword(
  preview: PreviewGarden,
  lost: readonly Probe[],
  options: RewordOptions,
): Promise<Reworded> {
  const suggestions: Suggestion[] = [];
  const unsolved: UnsolvedProbe[] = [];
  const first = await evaluate(preview, new Map(), options);
  let changes: Rewordings = new Map();
  for (const probe of lost) {
    const found = await win(preview, probe, changes, options);
    if (Array.isArray(found)) {
      suggestions.push(...found);
      changes = found.reduce<Rewordings>((all, it) => withWording(all, it.unit, it), changes);
    } else {
      unsolved.push(found);
    }
  }
  const last = await evaluate(preview, changes, options);
  return { suggestions, unsolved, won: compareProbes(first.results, last.results, options.k).won };
}

/** The suggestions that win one probe, unit by unit (none if it already passes), or why nothing wins it. */
async function win(
  preview: PreviewGarden,
  probe: Probe,
  accepted: Rewordings,
  options: RewordOptions,
): Promise<Suggestion[] | UnsolvedProbe> {
  const { k } = options;
  const found: Suggestion[] = [];
  let changes = accepted;
  for (;;) {
    const result = await runProbe(preview, await preview.build(changes), probe, options);
    const missing = result.required.find(({ rank }) => rank === null || rank > k);
    const unwanted = result.forbidden.find(({ rank }) => rank !== null && rank <= k);
    if (!missing) {
      if (!unwanted) return found;
      return { probe: probe.intent, unit: unwanted.name, reason: 'forbidden_comes', tried: 0, costs: [] };
    }
    // two units that displace each other would loop forever
    if (found.some(({ unit }) => unit === missing.name)) {
      return { probe: probe.intent, unit: missing.name, reason: 'nothing_wins', tried: 0, costs: [] };
    }
    const step = await winUnit(preview, probe, missing, changes, options);
    if ('reason' in step) return step;
    found.push(step);
    changes = withWording(changes, step.unit, step);
  }
}

/** The first wording that makes a probe find a unit, and loses nothing else. */
async function winUnit(
  preview: PreviewGarden,
  probe: Probe,
  { name: unit, rank: rank_before }: ProbeResult['required'][number],
  changes: Rewordings,
  options: RewordOptions,
): Promise<Suggestion | UnsolvedProbe> {
  const shared = options.isShared(unit);
  const previews = [preview, ...(shared ? options.others.filter((it) => it.units.has(unit)) : [])];
  const before = await Promise.all(previews.map((it) => evaluate(it, changes, options)));
  let tried = 0;
  let gated = 0;
  let costs: string[] | null = null;
  for (const wording of wordingsOf(before[0]?.garden ?? (await preview.build(changes)), unit, probe.intent)) {
    tried += 1;
    const after = withWording(changes, unit, wording);
    const { required } = await runProbe(preview, await preview.build(after), probe, options);
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

/** Probes that would no longer pass, and units that would no longer pass the gate. */
export async function lostBy(
  before: readonly Evaluation[],
  changes: Rewordings,
  { k, now }: RewordOptions,
): Promise<string[]> {
  const lost: string[] = [];
  for (const { preview, results, refused } of before) {
    const garden = await preview.build(changes);
    lost.push(...compareProbes(results, await runProbes(garden, preview.probes, preview.queryOf(garden), now), k).lost);
    // the gate is slow, so it is checked last and only if no probe is lost
    if (lost.length > 0) continue;
    lost.push(...(await preview.refused(garden)).filter((unit) => !refused.has(unit)));
  }
  return [...new Set(lost)];
}

export async function evaluate(
  preview: PreviewGarden,
  changes: Rewordings,
  { now }: RewordOptions,
): Promise<Evaluation> {
  const garden = await preview.build(changes);
  const results = await runProbes(garden, preview.probes, preview.queryOf(garden), now);
  return { preview, garden, results, refused: new Set(await preview.refused(garden)) };
}

async function runProbe(
  preview: PreviewGarden,
  garden: RecallGarden,
  probe: Probe,
  { now }: RewordOptions,
): Promise<ProbeResult> {
  const [result] = await runProbes(garden, [probe], preview.queryOf(garden), now);
  if (!result) throw new TypeError('a probe has no result');
  return result;
}

/** The probes that do not pass in the unchanged garden. */
export async function lostProbes(
  preview: PreviewGarden,
  { k, now }: Pick<RewordOptions, 'k' | 'now'>,
): Promise<Probe[]> {
  const garden = await preview.build(new Map());
  const results = await runProbes(garden, preview.probes, preview.queryOf(garden), now);
  return preview.probes.filter((_, at) => {
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
