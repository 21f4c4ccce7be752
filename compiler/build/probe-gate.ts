import { compareProbes, runProbes, summarise } from '../quality/probes.ts';
import { loadIndex } from '../recall/index/search-index.ts';
import { readyGarden, type RecallGarden } from '../recall/recall-garden.ts';
import { quantise } from '../recall/signals/semantic.ts';
import { diagnostic, type Diagnostic } from '../schema/diagnostics.ts';
import type { ProbeReport, ProbeResult } from '../schema/source/probe.ts';
import type { ConfiguredProbes } from '../sources/config.ts';
import { byText, canonicalBytes } from '../trust/canonical.ts';
import type { CompileContext } from './compile-context.ts';
import type { Contents } from './contents.ts';
import type { GardenPlan } from './garden-plan.ts';
import type { UnitFacts } from './unit-facts.ts';

/** What gardens are asked with, and what was answered before. */
export type ProbeContext = Pick<CompileContext, 'org' | 'model' | 'graphs' | 'previous'>;

/** The results of an agent's probes. */
export interface Probed {
  /** `probes.json`, if the agent has probes. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly faults: readonly Diagnostic[];
}

/** A garden as it will be asked, before it is sealed. @param unitFacts the agent's own units and the shared ones */
export function readyToAsk(
  { graphs }: Pick<CompileContext, 'graphs'>,
  unitFacts: readonly UnitFacts[],
  { files }: Contents,
): RecallGarden {
  const facts = unitFacts.map((it) => it.fact).sort((a, b) => byText(a.name, b.name));
  const index = loadIndex((path) => files.get(path), graphs.library);
  // legacy files stand in for facts that are not written yet; their words are in no index
  const paths = facts.flatMap(({ fallback }) => fallback?.path ?? []);
  return readyGarden(index, facts, new Map(paths.map((path) => [path, '.'])));
}

/** Runs a garden's curated probes (§21.5.4), and reports results below the limits of the deployment. */
export async function probeGarden(
  context: ProbeContext,
  plan: GardenPlan,
  unitFacts: readonly UnitFacts[],
  contents: Contents,
): Promise<Probed> {
  if (plan.probes === null) return { files: new Map(), faults: [] };
  const garden = readyToAsk(context, unitFacts, contents);
  const results = await ask(context, plan, garden, plan.probes);
  const report: ProbeReport = {
    format: 1,
    evaluated_at: plan.trace.committed_at,
    embedding_model_version: context.model === null ? null : modelVersion(context.model.pin),
    summary: summarise(results, context.org.probes.k, garden.facts.length),
    results,
  };
  const files = new Map([['probes.json', canonicalBytes(report)]]);
  return {
    files,
    faults: [...lowFault(context, plan.probes, report), ...lostFaults(context, plan, plan.probes, results)],
  };
}

/** The name of a model in reports, with enough of its digest to distinguish two. */
export function modelVersion({ name, digest }: { readonly name: string; readonly digest: string }): string {
  return `${name}@${digest.slice(0, 12)}`;
}

async function ask(
  { model }: Pick<CompileContext, 'model'>,
  plan: GardenPlan,
  garden: RecallGarden,
  { set }: ConfiguredProbes,
): Promise<ProbeResult[]> {
  const { vectors } = garden.index;
  const intents = set.probes.map((it) => it.intent);
  const encoded = vectors && model ? await model.encoder.encode(intents, 'query') : [];
  const queries = new Map(intents.map((intent, i) => [intent, vectors && quantise(encoded[i] ?? null, vectors.mean)]));
  const queryOf = (intent: string) => Promise.resolve(queries.get(intent) ?? null);
  return runProbes(garden, set.probes, queryOf, plan.trace.committed_at);
}

function lowFault({ org }: ProbeContext, { file, at }: ConfiguredProbes, { summary }: ProbeReport): Diagnostic[] {
  const { k, least_coverage } = org.probes;
  if (summary.coverage_at_k >= least_coverage) return [];
  const message = `probe-coverage@${k} is ${summary.coverage_at_k}; org.yaml requires ${least_coverage}`;
  return [diagnostic('probe_coverage_low', file, message, 'vade probe names the missing units', at(['probes']))];
}

/** Compares the probes with the previous bundle, if there is one. */
function lostFaults(
  { org, previous }: ProbeContext,
  { name }: GardenPlan,
  probes: ConfiguredProbes,
  now: ProbeResult[],
): Diagnostic[] {
  const { k, max_lost } = org.probes;
  const { lost } = compareProbes(previous?.probes(name)?.results ?? [], now, k);
  if (lost.length <= max_lost) return [];
  return lost.map((intent) => {
    const at = probes.set.probes.findIndex((it) => it.intent === intent);
    const missing = (now[at]?.required ?? []).filter(({ rank }) => rank === null || rank > k).map((it) => it.name);
    const message = `“${intent}” passed before; now ${missing.join(', ') || 'a forbidden unit'} ${missing.length > 0 ? 'does not come' : 'comes'}`;
    const help = 'vade recall --explain shows what outranks it';
    return diagnostic('probe_lost', probes.file, message, help, probes.at(['probes', at, 'intent']));
  });
}
