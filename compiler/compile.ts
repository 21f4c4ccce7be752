import type { Bundle, RootEntry } from './schema/bundle/bundle.ts';
import { VadeError } from './schema/errors.ts';
import { sortFaults, type Fault } from './schema/diagnostics.ts';
import type { Garden } from './schema/bundle/garden.ts';
import type { ModelPin, NamedModel, Org } from './schema/source/org.ts';
import { orgMissing, type Sources, type TreeFile } from './schema/source/sources.ts';
import type { GraphMaker } from './recall/index/search-index.ts';
import type { Encoder } from './recall/signals/semantic.ts';
import type { SealedRoot } from './trust/root-chain.ts';
import { assertUnmutated } from './trust/lineage.ts';
import type { Signer } from './trust/dsse.ts';
import { checkAdvances } from './migration/stage-gate.ts';
import { checkApprovers } from './build/approvals/branch-approvers.ts';
import { checkProbes } from './lint/validate-garden.ts';
import type { Gate } from './build/coverage-judge.ts';
import { configure, type Configuration } from './sources/config.ts';
import type { CountTokens } from './schema/ports.ts';
import { growAgent, growShared } from './build/garden.ts';
import { establishTrust } from './build/approvals/trust-root.ts';
import { filesBeside, lintBeside } from './lint/lint-configuration.ts';
import { parseUnit } from './sources/unit.ts';
import { laySharedPlot, layPlots } from './build/garden-plan.ts';
import { prepareSoil } from './build/compile-inputs.ts';
import { blobStore, unitBlobs, type BlobStore } from './sources/blobs.ts';
import type { Previous } from './build/previous-bundle.ts';
import { assertLineage, findReusable } from './build/incremental.ts';
import { sealBundle } from './build/sign-bundle.ts';
import type { Soil } from './build/compile-context.ts';
import { survey, type AgentSite, type Site } from './sources/classify-files.ts';
import { blobsOf } from './history/unit-versions.ts';

/** Everything a compile depends on; the edge is handed in. */
export interface CompileInput {
  readonly sources: Sources;
  /** The version of this compiler; `org.yaml` must pin exactly it. */
  readonly compiler: string;
  readonly pinned: SealedRoot;
  readonly signers: readonly Signer[];
  readonly previous: Previous | null;
  /** The ref that the compiled one will be merged into; null where it is to be told from the repository. */
  readonly base?: string | null;
  readonly countTokens: CountTokens;
  readonly loadEncoder: (choice: NamedModel) => Promise<{ encoder: Encoder; pin: ModelPin }>;
  readonly graphs: GraphMaker;
  readonly gate: Gate;
  /** Whether a unit that fails a lint of class security is held back, and the others are compiled. */
  readonly allowQuarantine: boolean;
  readonly progress: (step: 'reading' | 'history' | 'compiling', done: number, total: number) => void;
}

export interface Compiled {
  /** Null when a fault is an error. */
  readonly bundle: Bundle | null;
  readonly faults: readonly Fault[];
  readonly gardens: number;
  readonly reused: number;
}

/**
 * From a commit of sources to a signed bundle (DESIGN §2). All faults of a run are gathered; the same
 * commit, compiler and keys give the same bytes, with and without a previous bundle.
 *
 * @throws source_not_found, compiler_mismatch, signing_key_required, history_rewritten, fact_mutated
 */
export async function compile(input: CompileInput): Promise<Compiled> {
  const { sources, signers, previous } = input;
  input.progress('reading', 0, 1);
  const { site, faults } = survey(sources);
  const blobs = blobStore(sources);
  await blobs.load(configurationBlobs(site));
  const trust = establishTrust(input.pinned, signers, site, blobs.read);
  const { configuration, faults: decoded } = configure(site, blobs.read);
  faults.push(...decoded, ...checkProbes(site, configuration));
  faults.push(...(await faultsBeside(sources, site, blobs)));
  const org = requireOrg(input, configuration, trust.current);
  await blobs.load(unconfigured(site, configuration).flatMap(unitBlobs));
  faults.push(...unconfigured(site, configuration).flatMap((agent) => faultsOf(agent.units, blobs.read)));
  if (org === null) return refuse([...faults, ...faultsOf(site.shared, blobs.read)]);
  const places = await sources.places();
  assertLineage(previous, places);

  const { soil, faults: undecided } = await prepareSoil(input, site, configuration, { org, places, trust }, blobs);
  faults.push(...undecided, ...(await checkAdvances(soil, configuration, trust, blobs)));
  faults.push(...(await tellApprovers(soil, input)));
  const sharedPlot = laySharedPlot(soil);
  const shared = await growShared(soil, sharedPlot);
  const plots = layPlots(soil, configuration, shared.garden.digest);
  const kept = findReusable(previous, plots, signers);
  const fresh = plots.filter(({ name }) => !kept.has(name));
  await blobs.load(fresh.flatMap((plot) => [...unitBlobs(plot.site), ...blobsOf(soil.histories.get(plot.name))]));
  const grown: Garden[] = [shared.garden];
  const entries = [...kept.values(), toEntry(shared.garden, null, sharedPlot.inputs)];
  faults.push(...shared.faults);
  for (const [at, plot] of fresh.entries()) {
    input.progress('compiling', at, fresh.length);
    const { garden, faults: found } = await growAgent(soil, plot, shared);
    grown.push(garden);
    entries.push(toEntry(garden, plot.agent.config.agent_id, plot.inputs));
    faults.push(...found);
  }
  if (faults.some((it) => it.severity === 'error')) return refuse(faults);
  for (const it of grown) assertFollows(previous, it);
  const bundle = sealBundle(soil, trust.envelopes, entries, grown);
  return { bundle, faults: sortFaults(faults), gardens: entries.length, reused: kept.size };
}

/** A garden whose very bytes were published is what it was, however its files fared since. @throws fact_mutated */
function assertFollows(previous: Previous | null, { name, digest, statement }: Garden): void {
  const before = previous?.root.predicate.gardens.find((it) => it.garden === name);
  if (before === undefined || before.digest === digest) return;
  assertUnmutated(previous?.statement(name)?.subject ?? [], statement.subject);
}

/** Who works on a branch and approves what it brings; the branch is read where anything was approved at all. */
async function tellApprovers({ decisions, register }: Soil, { sources, base, previous }: CompileInput) {
  if (decisions.approvals.length === 0) return [];
  const branch = await sources.branch(base ?? null, previous?.root.predicate.commit ?? null);
  return checkApprovers(decisions.approvals, branch, register, sources.folder);
}

function toEntry({ name, digest, statement }: Garden, agent_id: string | null, inputs: string): RootEntry {
  const { held, recertify_by, approvals } = statement.predicate;
  const readers = approvals.flatMap(({ reader }) => reader ?? []);
  return { garden: name, agent_id, digest, held, recertify_by, ...(readers.length > 0 && { readers }), inputs };
}

/** What has to be read before anything is known of any garden: every file but the agents' units. */
function configurationBlobs(site: Site): string[] {
  const agents = [...site.agents.values()].map((agent) => agent.config);
  const decided = [...site.trust.values(), ...site.approvals];
  const files = [site.org, ...agents, ...decided, ...site.probes.values(), ...site.shared];
  return files.flatMap((file) => file?.blob ?? []);
}

/** Agents that cannot become gardens; their units are read all the same, for what is wrong in them. */
function unconfigured(site: Site, { org, agents }: Configuration): AgentSite[] {
  return [...site.agents.values()].filter(({ name }) => org === null || !agents.has(name));
}

/** What is unsafe in files that no garden judges: org.yaml, probes, approvals, and what nothing reads. */
async function faultsBeside(sources: Sources, site: Site, blobs: BlobStore): Promise<Fault[]> {
  const files = filesBeside(site, sources.tree);
  await blobs.load(files.map(({ blob }) => blob));
  return lintBeside(files, blobs.read);
}

function faultsOf(units: readonly TreeFile[], read: (file: TreeFile) => Buffer): Fault[] {
  return units.flatMap((file) => [...parseUnit(file, read(file), '').faults]);
}

function refuse(faults: readonly Fault[]): Compiled {
  return { bundle: null, faults: sortFaults(faults), gardens: 0, reused: 0 };
}

function requireOrg({ sources, compiler }: CompileInput, { org }: Configuration, trust: SealedRoot): Org | null {
  const path = `${sources.folder}/org.yaml`;
  if (!sources.tree.has(path)) {
    throw orgMissing(path);
  }
  if (org && org.compiler !== compiler) {
    throw new VadeError('compiler_mismatch', `${path} pins compiler ${org.compiler}; this is ${compiler}`, {
      suggestion: `to upgrade, write “compiler: ${compiler}” in ${path} and commit it; or run vade ${org.compiler}`,
    });
  }
  if (org && !trust.root.development && org.deployment !== trust.root.deployment) {
    const message = `${path} is of deployment ${org.deployment}, the trust root of ${trust.root.deployment}`;
    throw new VadeError('bundle_unverified', message);
  }
  return org;
}
