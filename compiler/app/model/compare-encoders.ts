import { buildPreviewGarden } from '../../gardens/preview.ts';
import { markCopies } from '../../quality/copied-probes.ts';
import { compareProbes, runProbes, summarise } from '../../quality/probes.ts';
import type { Encoder } from '../../recall/signals/semantic.ts';
import type { ModelChoice, Org } from '../../schema/source/org.ts';
import type { ProbeResult } from '../../schema/source/probe.ts';
import { phrasesFor } from '../../sources/config.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { World } from '../../world/world.ts';
import type { MODEL_PIN } from '../flags/sources.ts';
import { cachedEncoder, previewInputs, queriesOf } from '../preview/preview-inputs.ts';
import { probesOf, readGardens, recalledUnits, type ReadGardens } from '../preview/read-gardens.ts';

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

/** An encoder, and its name in `org.yaml`. */
interface NamedEncoder {
  readonly encoder: Encoder | null;
  readonly model: Org['model'];
}

/** The encoder that `org.yaml` names. @throws source_not_found, sources_invalid */
export async function readModelOf(flags: Flags, world: World): Promise<Org['model']> {
  return (await readGardens({ ...flags, ref: undefined }, world)).org.model;
}

/** Runs the probes of every agent that has some, in gardens built with one encoder and with the other. */
export async function compareEncoders(
  flags: Flags,
  encoders: { readonly before: Encoder | null; readonly after: Encoder; readonly choice: ModelChoice },
  world: World,
): Promise<ProbeGain[]> {
  const gardens = await readGardens({ ...flags, ref: undefined }, world);
  const { org, configuration } = gardens;
  const old = { encoder: encoders.before && cachedEncoder(encoders.before), model: org.model };
  const fresh = { encoder: cachedEncoder(encoders.after), model: encoders.choice };
  const now = world.now().toISOString();
  const gains: ProbeGain[] = [];
  for (const agent of [...configuration.agents.keys()].sort()) {
    if (probesOf(gardens, agent).length === 0) continue;
    const before = await runIn(gardens, agent, old, now);
    gains.push(gainOf(agent, org.probes.k, before, await runIn(gardens, agent, fresh, now)));
  }
  return gains;
}

async function runIn(
  gardens: ReadGardens,
  agent: string,
  { encoder, model }: NamedEncoder,
  now: string,
): Promise<ProbeResult[]> {
  const inputs = await previewInputs(gardens, agent, encoder, model);
  const phrases = phrasesFor(gardens.configuration, agent);
  const garden = await buildPreviewGarden(recalledUnits(gardens, agent), { ...inputs, phrases });
  const probes = probesOf(gardens, agent);
  const results = await runProbes(garden, probes, queriesOf(garden, inputs.encoder), now);
  return markCopies(garden, probes, results, (unit) => phrases.get(unit) ?? []);
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
