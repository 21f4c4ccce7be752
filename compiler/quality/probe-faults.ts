import { diagnostic, quoted, type Diagnostic, type Position } from '../schema/diagnostics.ts';
import type { Org } from '../schema/source/org.ts';
import type { ProbeResult } from '../schema/source/probe.ts';
import { parseUri, SHARED } from '../schema/uri.ts';
import { aboveOf, compareProbes, passes, summarise, within } from './probes.ts';

/** An agent's probes as a garden answered them. */
export interface AnsweredProbes {
  readonly agent: string;
  /** The units of its garden, shared ones too. */
  readonly units: readonly { readonly name: string; readonly uri: string }[];
  /** Their file; `at` gives the position of a part of the file. */
  readonly file: string;
  readonly at: (path: readonly PropertyKey[]) => Position;
  /** In the order of the file. */
  readonly results: readonly ProbeResult[];
  /** Results of the earlier bundle; empty without one. */
  readonly before: readonly ProbeResult[];
}

/** How many probes of an agent may fail, as `org.yaml` says. */
export type ProbePolicy = Org['probes'];

/**
 * Faults of an agent's probes under the policy of a deployment (§21.5.4): too little coverage, or too many that were
 * lost. Each probe that is to blame is reported at its own line, once.
 */
export function probeFaults(answered: AnsweredProbes, policy: ProbePolicy): Diagnostic[] {
  const lost = lostProbes(answered, policy);
  const failing = saysHowMany(policy) ? lowFaults(answered, policy, lost) : failFaults(answered, policy, lost);
  return [...failing, ...lostFaults(answered, policy, lost)];
}

/**
 * Whether a deployment sets how many of its probes may fail: then a failing probe below that number is not reported.
 */
const saysHowMany = ({ least_coverage, wanted_coverage }: ProbePolicy): boolean =>
  least_coverage > 0 || wanted_coverage !== undefined;

/** The places of the lost probes, if there are more than the policy lets be lost. */
function lostProbes({ results, before }: AnsweredProbes, { k, max_lost }: ProbePolicy): Set<number> {
  const { lost } = compareProbes(before, results, k);
  if (lost.length <= max_lost) return new Set();
  const intents = new Set(lost);
  return new Set(results.flatMap((it, probe) => (intents.has(it.intent) && !passes(it, k) ? [probe] : [])));
}

function lostFaults({ file, at, results }: AnsweredProbes, { k, max_lost }: ProbePolicy, lost: ReadonlySet<number>) {
  return results.flatMap((it, probe) => {
    if (!lost.has(probe)) return [];
    const message = `${quoted(it.intent)} passed before and fails now: ${whyItFails(it, k)}`;
    const help = `reword the units that compete, or raise max_lost of org.yaml, which is ${max_lost}; ${lost.size} are lost`;
    return [diagnostic('probe_lost', file, message, help, at(['probes', probe, 'intent']))];
  });
}

/** Each probe that counts and fails. @param lost probes that are reported already */
function failFaults(answered: AnsweredProbes, { k }: ProbePolicy, lost: ReadonlySet<number>) {
  const { file, at, results } = answered;
  return results.flatMap((it, probe) => {
    if (lost.has(probe) || it.copied_by !== undefined || passes(it, k)) return [];
    const message = `${quoted(it.intent)} fails: ${whyItFails(it, k)}`;
    return [diagnostic('probe_fails', file, message, helpFor(answered, it, k), at(['probes', probe, 'intent']))];
  });
}

/** The brief for the first unit that a probe lacks; the phrases of a shared unit have a file of their own. */
function helpFor({ agent, units }: AnsweredProbes, { required, forbidden }: ProbeResult, k: number): string {
  const lacking = required.find((it) => !within(k)(it))?.name;
  if (lacking === undefined) {
    const unwanted = forbidden.find(within(k))?.name ?? '';
    return `leave the words of the probe out of the description, triggers and phrases of ${unwanted}`;
  }
  const uri = units.find(({ name }) => name === lacking)?.uri ?? '';
  const owner = parseUri(uri)?.agent === null ? SHARED : agent;
  return `write phrases with the probe’s meaning in other words: vade brief phrases --agent ${owner} --unit ${lacking}`;
}

/** The figure where the list begins, then each probe that lowers it. @param lost probes that are reported already */
function lowFaults(answered: AnsweredProbes, policy: ProbePolicy, lost: ReadonlySet<number>): Diagnostic[] {
  const { agent, file, at, results } = answered;
  const { k, least_coverage, wanted_coverage = 0 } = policy;
  const { coverage_at_k } = summarise(results, k, 0);
  if (coverage_at_k >= Math.max(least_coverage, wanted_coverage)) return [];
  const severity = coverage_at_k < least_coverage ? 'error' : 'warning';
  const low = (message: string, help: string, place: Position) =>
    diagnostic('probe_coverage_low', file, message, help, place, severity);
  const each = results.flatMap((it, probe) => {
    if (lost.has(probe) || !isShort(it, k)) return [];
    return [
      low(`${quoted(it.intent)}: ${whyItFails(it, k)}`, helpFor(answered, it, k), at(['probes', probe, 'intent'])),
    ];
  });
  const help = results.every((it) => it.copied_by !== undefined)
    ? `write probes that no trigger and no phrase copies: vade brief probes --agent ${agent}`
    : `write phrases for the units that the probes lack: vade brief phrases --agent ${agent}`;
  return [low(figureOf(answered, policy), help, at(['probes'])), ...each];
}

/** The coverage with its counts, and what org.yaml says of it. */
function figureOf({ agent, results }: AnsweredProbes, { k, least_coverage, wanted_coverage = 0 }: ProbePolicy): string {
  const { coverage_at_k, probes, uncounted } = summarise(results, k, 0);
  const short = results.filter((it) => isShort(it, k)).length;
  const figure =
    probes === 0
      ? `no probe of ${agent} counts`
      : `probe-coverage@${k} of ${agent} is ${coverage_at_k}: ${short} of ${probes} probes lack a unit among the first ${k}`;
  const needed = coverage_at_k < least_coverage ? `requires ${least_coverage}` : `wants ${wanted_coverage}`;
  const left = uncounted === 0 ? '' : `; ${uncounted} more do not count, since triggers or phrases nearly copy them`;
  return `${figure}; org.yaml ${needed}${left}`;
}

/** Whether a probe counts and lacks a unit that it requires: then it lowers the coverage. */
const isShort = ({ required, copied_by }: ProbeResult, k: number): boolean =>
  copied_by === undefined && !required.every(within(k));

/** Why a probe fails: where its units rank, and what stands above them; empty if it passes. */
export function whyItFails(result: ProbeResult, k: number): string {
  const missing = result.required
    .filter((it) => !within(k)(it))
    .map((it) => {
      const { names, count } = aboveOf(result, it);
      return `${it.name} ${ranked(it.rank)}${count === 0 ? '' : `, below ${named(names, count)}`}`;
    });
  const unwanted = result.forbidden.filter(within(k)).map((it) => `${it.name} is forbidden, but ${ranked(it.rank)}`);
  return [...missing, ...unwanted].join('; ');
}

const ranked = (rank: number | null): string => (rank === null ? 'is not ranked' : `ranks ${rank}`);

/** Names of some of so many. */
export function named(names: readonly string[], count: number): string {
  const more = count - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}
