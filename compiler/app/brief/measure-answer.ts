import { buildPreviewGarden } from '../../gardens/preview.ts';
import { compareProbes, passes, runProbes } from '../../quality/probes.ts';
import type { Encoder } from '../../recall/signals/semantic.ts';
import type { Probe, ProbeResult } from '../../schema/source/probe.ts';
import { SHARED } from '../../schema/uri.ts';
import { previewInputs, queriesOf } from '../preview/preview-inputs.ts';
import { probesOf, recalledUnits } from '../preview/read-gardens.ts';
import { phrasesNow, type Handbook } from './open-handbook.ts';

/** Results of an agent's probes without an answer and with it. */
export interface ProbeEffect {
  readonly agent: string;
  readonly before: ProbeCounts;
  readonly after: ProbeCounts;
  /** Intents of the probes that pass with the answer alone, or without it alone. */
  readonly won: readonly string[];
  readonly lost: readonly string[];
  /** New probes that do not pass. */
  readonly failing: readonly { readonly probe: string; readonly unit: string; readonly rank: number | null }[];
  /** The units without phrases, which others of the garden may push back. */
  readonly without_phrases: FirstPlaces;
}

interface ProbeCounts {
  readonly probes: number;
  readonly passed: number;
}

/** Number of required units that rank first for their probes, without the answer and with it. */
interface FirstPlaces {
  readonly required: number;
  readonly first_before: number;
  readonly first_after: number;
  /** Intents of the probes for which it is no longer first. */
  readonly lost: readonly string[];
}

/** The changes of an answer to one garden. */
export interface GardenChange {
  readonly garden: string;
  /** By unit, in the place of those that it has. */
  readonly phrases: ReadonlyMap<string, readonly string[]>;
  readonly probes: readonly Probe[];
}

/** The agents that a change concerns: every one recalls the shared units. */
export function agentsOf({ configuration }: Handbook, { garden }: GardenChange): string[] {
  return garden === SHARED ? [...configuration.agents.keys()].sort() : [garden];
}

/** Asks the probes of every agent that a change concerns, in gardens built in memory. @param now ISO 8601 */
export async function measure(
  handbook: Handbook,
  change: GardenChange,
  encoder: Encoder | null,
  now: string,
): Promise<ProbeEffect[]> {
  const agents = agentsOf(handbook, change);
  const asked = agents.filter((it) => change.probes.length > 0 || probesOf(handbook, it).length > 0);
  const measured: ProbeEffect[] = [];
  for (const agent of asked) measured.push(await measureAgent(handbook, agent, change, { encoder, now }));
  return measured;
}

async function measureAgent(
  handbook: Handbook,
  agent: string,
  change: GardenChange,
  { encoder, now }: { readonly encoder: Encoder | null; readonly now: string },
): Promise<ProbeEffect> {
  const probes = probesOf(handbook, agent);
  const inputs = await previewInputs(handbook, agent, encoder);
  const ask = async (phrases: Phrases, asked: readonly Probe[]) => {
    const garden = await buildPreviewGarden(recalledUnits(handbook, agent), { ...inputs, phrases });
    return runProbes(garden, asked, queriesOf(garden, inputs.encoder), now);
  };
  const phrases = phrasesNow(handbook, agent);
  const later = new Map([...phrases, ...change.phrases]);
  const before = await ask(phrases, probes);
  const after = await ask(later, [...probes, ...change.probes]);
  return {
    agent,
    ...compared(before, after, handbook.org.probes.k),
    without_phrases: firstPlaces(before, after, later),
  };
}

type Phrases = ReadonlyMap<string, readonly string[]>;

function compared(before: readonly ProbeResult[], after: readonly ProbeResult[], k: number) {
  const passed = (results: readonly ProbeResult[]): ProbeCounts => {
    return { probes: results.length, passed: results.filter((it) => passes(it, k)).length };
  };
  const failing = after.slice(before.length).filter((it) => !passes(it, k));
  return {
    before: passed(before),
    after: passed(after),
    ...compareProbes(before, after, k),
    failing: failing.flatMap(({ intent, required }) =>
      required.map(({ name, rank }) => ({ probe: intent, unit: name, rank })),
    ),
  };
}

function firstPlaces(before: readonly ProbeResult[], after: readonly ProbeResult[], phrases: Phrases): FirstPlaces {
  const bare = ({ name }: { readonly name: string }) => (phrases.get(name) ?? []).length === 0;
  const pairs = before.flatMap(({ intent, required }, i) =>
    required.filter(bare).map(({ name, rank }) => {
      const then = after[i]?.required.find((it) => it.name === name)?.rank ?? null;
      return { intent, was: rank === 1, is: then === 1 };
    }),
  );
  return {
    required: pairs.length,
    first_before: pairs.filter(({ was }) => was).length,
    first_after: pairs.filter(({ is }) => is).length,
    lost: [...new Set(pairs.filter(({ was, is }) => was && !is).map(({ intent }) => intent))],
  };
}
