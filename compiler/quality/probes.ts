import type { RecallGarden } from '../recall/recall-garden.ts';
import {
  MOST_ABOVE,
  type Probe,
  type ProbeResult,
  type ProbeSummary,
  type UnitProbes,
} from '../schema/source/probe.ts';
import { counted } from './copied-probes.ts';
import { foundShare } from './metrics/share.ts';
import { createRanking } from './placement.ts';

/** Encodes an intent as an index needs it; null without vectors. */
export type QueryOf = (intent: string) => Promise<Int8Array | null>;

/** In a garden of up to this many units, the first ten are nearly all. */
export const SMALL_GARDEN = 10;

/**
 * Runs every probe on a garden (§21.5.4), and reports the ranks of its required and forbidden units.
 *
 * @param now ISO 8601
 */
export async function runProbes(
  garden: RecallGarden,
  probes: readonly Probe[],
  queryOf: QueryOf,
  now: string,
): Promise<ProbeResult[]> {
  const ranking = createRanking(garden, now);
  const results: ProbeResult[] = [];
  for (const { intent, required, forbidden } of probes) {
    const names = ranking(intent, await queryOf(intent)).map((unit) => garden.index.names[unit] ?? '');
    const place = (name: string) => ({ name, rank: names.indexOf(name) + 1 || null });
    const placed = { intent, required: required.map(place), forbidden: forbidden.map(place) };
    results.push({ ...placed, ...rivalsOf(placed, names) });
  }
  return results;
}

/** The units above the last required one; all that are ranked, if it is not. */
function rivalsOf({ required }: Pick<ProbeResult, 'required'>, ranked: readonly string[]): Pick<ProbeResult, 'above'> {
  const own = new Set(required.map(({ name }) => name));
  const last = Math.max(...required.map(({ rank }) => rank ?? Infinity));
  const names = ranked.slice(0, last - 1).filter((it) => !own.has(it));
  return names.length === 0 ? {} : { above: { names: names.slice(0, MOST_ABOVE), count: names.length } };
}

/** The units above one that a probe requires, without the others that it requires: the first of them, and how many. */
export function aboveOf(
  { required, above }: Pick<ProbeResult, 'required' | 'above'>,
  { rank }: ProbeResult['required'][number],
): NonNullable<ProbeResult['above']> {
  const { names = [], count = 0 } = above ?? {};
  if (rank === null) return { names, count };
  const others = new Set(required.flatMap((it) => (it.rank !== null && it.rank < rank ? [it.rank] : []))).size;
  return { names: names.slice(0, rank - 1 - others), count: rank - 1 - others };
}

/** Probe-coverage@k and Probe-hit@k of an agent and of its units. @param units how many the garden has */
export function summarise(all: readonly ProbeResult[], k: number, units: number): ProbeSummary {
  const results = counted(all);
  const shares = results.map(({ required }) => foundShare(required.filter(within(k)).length, required.length));
  return {
    k,
    probes: results.length,
    uncounted: all.length - results.length,
    coverage_at_k: foundShare(
      shares.reduce((sum, it) => sum + it, 0),
      results.length,
    ),
    hit_at_k: hitAt(results, k),
    hit_at_10: hitAt(results, 10),
    hit_at_3: units <= SMALL_GARDEN ? hitAt(results, 3) : null,
    passed: results.filter((it) => passes(it, k)).length,
    units: summariseUnits(results, k),
  };
}

function summariseUnits(results: readonly ProbeResult[], k: number): UnitProbes[] {
  const names = [...new Set(results.flatMap(({ required }) => required.map(({ name }) => name)))].sort();
  return names.map((name) => {
    const own = results.filter(({ required }) => required.some((it) => it.name === name));
    const found = (depth: number) =>
      own.filter(({ required }) => required.some((it) => it.name === name && within(depth)(it))).length;
    return {
      name,
      probe_count: own.length,
      coverage_at_k: foundShare(found(k), own.length),
      hit_at_k: hitAt(own, k),
      hit_at_10: foundShare(found(10), own.length),
    };
  });
}

/** Those of the units that no probe requires which counts. */
export function unprobed(units: readonly string[], results: readonly ProbeResult[]): string[] {
  const probed = new Set(counted(results).flatMap(({ required }) => required.map(({ name }) => name)));
  return units.filter((it) => !probed.has(it)).sort();
}

/** From this many probes on they predict more than paraphrases do, if this share of them finds the unit. */
const TELLING = 2;
const FOUND = 0.8;

/** Units that enough probes require and find: half of such questions predict the others better than any paraphrase. */
export function foundByProbes({ units }: Pick<ProbeSummary, 'units'>): Set<string> {
  const found = units.filter((it) => it.probe_count >= TELLING && it.coverage_at_k >= FOUND);
  return new Set(found.map(({ name }) => name));
}

/** How many units the probes require, each as often as one does, and how many of these are among the first k. */
export function requiredFound(results: readonly ProbeResult[], k: number): { required: number; found: number } {
  const required = counted(results).flatMap((it) => it.required);
  return { required: required.length, found: required.filter(within(k)).length };
}

/** Probes that count in one run only are neither won nor lost. */
export interface ProbeChanges {
  /** Intents of the probes that pass now and did not before. */
  readonly won: string[];
  readonly lost: string[];
}

/** Compares two runs: which probes were won, and which lost. */
export function compareProbes(before: readonly ProbeResult[], after: readonly ProbeResult[], k: number): ProbeChanges {
  const passed = new Map(counted(before).map((it) => [it.intent, passes(it, k)]));
  const changed = (from: boolean) =>
    counted(after)
      .filter((it) => passed.get(it.intent) === from && passes(it, k) !== from)
      .map(({ intent }) => intent);
  return { won: changed(false), lost: changed(true) };
}

/** Whether all required units are among the first k, and no forbidden one is. */
export function passes({ required, forbidden }: ProbeResult, k: number): boolean {
  return required.every(within(k)) && !forbidden.some(within(k));
}

function hitAt(results: readonly ProbeResult[], k: number): number {
  return foundShare(results.filter(({ required }) => required.some(within(k))).length, results.length);
}

/** Whether a unit is among the first k. */
export function within(k: number) {
  return ({ rank }: { readonly rank: number | null }): boolean => rank !== null && rank <= k;
}
