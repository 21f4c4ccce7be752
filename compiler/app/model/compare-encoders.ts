import { markCopies } from '../../quality/copied-probes.ts';
import { compareProbes, runProbes, summarise } from '../../quality/probes.ts';
import type { Encoder } from '../../recall/signals/semantic.ts';
import type { ModelChoice, Org } from '../../schema/source/org.ts';
import type { ProbeResult } from '../../schema/source/probe.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { World } from '../../world/world.ts';
import type { MODEL_PIN } from '../flags/sources.ts';
import { openPreviewGardens, type PreviewGardens } from '../suggest/preview-gardens.ts';

type Flags = Pick<Arguments<typeof MODEL_PIN>, 'repo' | 'source' | 'models'>;

/** Results of an agent's probes with the encoder of today, and with another one. */
export interface ProbeGain {
  readonly agent: string;
  /** Numbers of probes that count, and of those that do not, because a trigger or a phrase nearly copies them. */
  readonly probes: number;
  readonly uncounted: number;
  readonly k: number;
  readonly before: EncoderFigures;
  readonly after: EncoderFigures;
  /** Intents that pass now and did not before. */
  readonly won: readonly string[];
  readonly lost: readonly string[];
}

interface EncoderFigures {
  readonly passed: number;
  readonly hit_at_1: number;
  readonly coverage_at_k: number;
}

/** The encoder that `org.yaml` names. @throws source_not_found, sources_invalid */
export async function readModelOf(flags: Flags, world: World): Promise<Org['model']> {
  const { org } = await openPreviewGardens({ ...flags, ref: undefined }, world, { encoder: null });
  return org.model;
}

/** Runs the probes of every agent that has some, in gardens built with one encoder and with the other. */
export async function compareEncoders(
  flags: Flags,
  encoders: { readonly before: Encoder | null; readonly after: Encoder; readonly choice: ModelChoice },
  world: World,
): Promise<ProbeGain[]> {
  const at = { ...flags, ref: undefined };
  const old = await openPreviewGardens(at, world, { encoder: encoders.before });
  const fresh = await openPreviewGardens(at, world, { encoder: encoders.after, model: encoders.choice });
  const now = world.now().toISOString();
  const gains: ProbeGain[] = [];
  for (const agent of old.agents) {
    if (old.preview(agent).probes.length === 0) continue;
    gains.push(gainOf(agent, old.org.probes.k, await runIn(old, agent, now), await runIn(fresh, agent, now)));
  }
  return gains;
}

async function runIn(previews: PreviewGardens, agent: string, now: string): Promise<ProbeResult[]> {
  const preview = previews.preview(agent);
  const garden = await preview.build(new Map());
  const results = await runProbes(garden, preview.probes, preview.queryOf(garden), now);
  return markCopies(garden, preview.probes, results, preview.phrasesOf);
}

function gainOf(agent: string, k: number, before: ProbeResult[], after: ProbeResult[]): ProbeGain {
  const found = (results: ProbeResult[]): EncoderFigures => {
    const { passed, coverage_at_k } = summarise(results, k, 0);
    return { passed, coverage_at_k, hit_at_1: summarise(results, 1, 0).hit_at_k };
  };
  const changes = compareProbes(before, after, k);
  const { probes, uncounted } = summarise(after, k, 0);
  return { agent, probes, uncounted, k, before: found(before), after: found(after), ...changes };
}
