import { compareProbes, runProbes, summarise } from '../quality/probes.ts';
import { fault, type Fault } from '../schema/diagnostics.ts';
import type { ProbeReport, ProbeResult } from '../schema/source/probe.ts';
import { readyGarden, type RecallGarden } from '../recall/recall-garden.ts';
import { loadIndex } from '../recall/index/search-index.ts';
import { quantise } from '../recall/signals/semantic.ts';
import { byText, canonicalBytes } from '../trust/canonical.ts';
import type { Contents } from './contents.ts';
import type { ConfiguredProbes } from '../sources/config.ts';
import type { Plot } from './garden-plan.ts';
import type { Soil } from './compile-context.ts';
import type { Sown } from './unit-facts.ts';

/** What became of an agent's probes. */
export interface Probed {
  /** `probes.json`, where it has any. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly faults: readonly Fault[];
}

/** A garden as it will be asked, before it is sealed. @param sown the agent's own units and the shared ones */
export function readyToAsk(soil: Soil, sown: readonly Sown[], { files }: Contents): RecallGarden {
  const facts = sown.map((it) => it.fact).sort((a, b) => byText(a.name, b.name));
  const index = loadIndex((path) => files.get(path), soil.graphs.library);
  // legacy files stand in for facts that are not written yet; their words are in no index
  const paths = facts.flatMap(({ fallback }) => fallback?.path ?? []);
  return readyGarden(index, facts, new Map(paths.map((path) => [path, '.'])));
}

/** Asks a garden its curated probes (§21.5.4); what the deployment does not put up with is a fault. */
export async function probeGarden(soil: Soil, plot: Plot, sown: readonly Sown[], contents: Contents): Promise<Probed> {
  if (plot.probes === null) return { files: new Map(), faults: [] };
  const garden = readyToAsk(soil, sown, contents);
  const results = await ask(soil, plot, garden, plot.probes);
  const report: ProbeReport = {
    format: 1,
    evaluated_at: plot.trace.committed_at,
    embedding_model_version: soil.model === null ? null : modelVersion(soil.model.pin),
    summary: summarise(results, soil.org.probes.k, garden.facts.length),
    results,
  };
  const files = new Map([['probes.json', canonicalBytes(report)]]);
  return { files, faults: [...lowFault(soil, plot.probes, report), ...lostFaults(soil, plot, plot.probes, results)] };
}

/** How reports name a model: with enough of its digest to tell two apart. */
export function modelVersion({ name, digest }: { readonly name: string; readonly digest: string }): string {
  return `${name}@${digest.slice(0, 12)}`;
}

async function ask(soil: Soil, plot: Plot, garden: RecallGarden, { set }: ConfiguredProbes): Promise<ProbeResult[]> {
  const { vectors } = garden.index;
  const intents = set.probes.map((it) => it.intent);
  const encoded = vectors && soil.model ? await soil.model.encoder.encode(intents, 'query') : [];
  const queries = new Map(intents.map((intent, i) => [intent, vectors && quantise(encoded[i] ?? null, vectors.mean)]));
  const queryOf = (intent: string) => Promise.resolve(queries.get(intent) ?? null);
  return runProbes(garden, set.probes, queryOf, plot.trace.committed_at);
}

function lowFault({ org }: Soil, { file, at }: ConfiguredProbes, { summary }: ProbeReport): Fault[] {
  const { k, least_coverage } = org.probes;
  if (summary.coverage_at_k >= least_coverage) return [];
  const message = `probe-coverage@${k} is ${summary.coverage_at_k}; org.yaml asks for ${least_coverage}`;
  return [fault('probe_coverage_low', file, message, 'vade probe names the units that do not come', at(['probes']))];
}

/** Against the previous bundle, where one is handed in. */
function lostFaults({ org, previous }: Soil, { name }: Plot, probes: ConfiguredProbes, now: ProbeResult[]): Fault[] {
  const { k, max_lost } = org.probes;
  const { lost } = compareProbes(previous?.probes(name)?.results ?? [], now, k);
  if (lost.length <= max_lost) return [];
  return lost.map((intent) => {
    const at = probes.set.probes.findIndex((it) => it.intent === intent);
    const missing = (now[at]?.required ?? []).filter(({ rank }) => rank === null || rank > k).map((it) => it.name);
    const message = `“${intent}” was answered before; now ${missing.join(', ') || 'a forbidden unit'} ${missing.length > 0 ? 'does not come' : 'comes'}`;
    const help = 'vade recall --explain says what outranks it';
    return fault('probe_lost', probes.file, message, help, probes.at(['probes', at, 'intent']));
  });
}
