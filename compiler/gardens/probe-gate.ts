import { markCopies } from '../quality/copied-probes.ts';
import { probeFaults } from '../quality/probe-faults.ts';
import { foundByProbes, runProbes, summarise } from '../quality/probes.ts';
import { loadIndex, type SearchIndex } from '../recall/index/search-index.ts';
import { readyGarden, type RecallFact, type RecallGarden } from '../recall/recall-garden.ts';
import { quantise } from '../recall/signals/semantic.ts';
import type { Diagnostic } from '../schema/diagnostics.ts';
import type { ProbeReport, ProbeResult } from '../schema/source/probe.ts';
import type { ConfiguredProbes } from '../sources/config.ts';
import { byText, canonicalBytes } from '../trust/canonical.ts';
import type { CompileContext } from './compile-context.ts';
import type { Contents } from './contents.ts';
import type { GardenPlan } from './garden-plan.ts';
import type { UnitFacts } from './unit-facts.ts';

/** The inputs of probe runs, and the previous bundle to compare with. */
export type ProbeContext = Pick<CompileContext, 'org' | 'model' | 'graphs' | 'previous'>;

/** The results of an agent's probes. */
export interface Probed {
  /** `probes.json`, if the agent has probes. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly faults: readonly Diagnostic[];
  /** Units that their probes find. */
  readonly found: ReadonlySet<string>;
}

/** The garden as recall will search it, before it is signed. @param facts the agent's own and shared ones, by name */
export function toRecallGarden(
  { graphs }: Pick<CompileContext, 'graphs'>,
  facts: readonly RecallFact[],
  { files }: Pick<Contents, 'files'>,
): RecallGarden {
  const index = indexOf(files, graphs.library);
  // facts of legacy files need a path to be served; the index has none of their words
  const paths = facts.flatMap(({ fallback }) => fallback?.path ?? []);
  return readyGarden(index, facts, new Map(paths.map((path) => [path, '.'])));
}

/** The index of a garden's files: probes, paraphrases and phrases are asked one after the other. */
function indexOf(files: Contents['files'], library: CompileContext['graphs']['library']): SearchIndex {
  const index = loaded.get(files) ?? loadIndex((path) => files.get(path), library);
  loaded.set(files, index);
  return index;
}

const loaded = new WeakMap<Contents['files'], SearchIndex>();

/** Runs a garden's curated probes (§21.5.4), and reports results below the limits of the deployment. */
export async function probeGarden(
  context: ProbeContext,
  plan: GardenPlan,
  unitFacts: readonly UnitFacts[],
  contents: Contents,
): Promise<Probed> {
  if (plan.probes === null) return { files: new Map(), faults: [], found: new Set() };
  const facts = unitFacts.map((it) => it.fact).sort((a, b) => byText(a.name, b.name));
  const garden = toRecallGarden(context, facts, contents);
  const phrases = new Map(contents.phrases.map((it) => [it.name, it.phrases]));
  const ranked = await runAll(context, plan, garden, plan.probes);
  const results = markCopies(garden, plan.probes.set.probes, ranked, (unit) => phrases.get(unit) ?? []);
  const report: ProbeReport = {
    format: 1,
    evaluated_at: plan.trace.committed_at,
    embedding_model_version: context.model === null ? null : modelVersion(context.model.pin),
    summary: summarise(results, context.org.probes.k, garden.facts.length),
    results,
  };
  const files = new Map([['probes.json', canonicalBytes(report)]]);
  const before = context.previous?.probes(plan.name)?.results ?? [];
  const { file, at } = plan.probes;
  const answered = { agent: plan.name, units: garden.facts, results, before };
  const faults = probeFaults({ ...answered, file, at }, context.org.probes);
  return { files, faults, found: foundByProbes(report.summary) };
}

/** The name of a model in reports, with enough of its digest to distinguish two. */
export function modelVersion({ name, digest }: { readonly name: string; readonly digest: string }): string {
  return `${name}@${digest.slice(0, 12)}`;
}

async function runAll(
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
