import { together } from '../history/attribution.ts';
import { provenanceOf } from '../history/unit-versions.ts';
import { lintText } from '../lint/lint-text.ts';
import { lintAgent } from '../lint/lint-unit.ts';
import { checkGarden } from '../lint/validate-garden.ts';
import { INDEX_FILES } from '../recall/index/search-index.ts';
import { signalsOf } from '../recall/rank/rank.ts';
import type { Garden, GardenPredicate } from '../schema/bundle/garden.ts';
import { countListed, type ListedUnits } from '../schema/bundle/manifest.ts';
import type { QuarantinedFact } from '../schema/bundle/quarantine.ts';
import type { Diagnostic } from '../schema/diagnostics.ts';
import { languageOf } from '../schema/source/language.ts';
import type { TreeFile } from '../schema/source/sources.ts';
import type { Unit } from '../schema/source/unit.ts';
import { gardenId, SHARED } from '../schema/uri.ts';
import { unitNames } from '../sources/classify-files.ts';
import { parseText, parseUnits, type Parsed } from '../sources/unit.ts';
import { attestGarden } from '../trust/attest.ts';
import type { CompileContext, SourceHistory } from './compile-context.ts';
import { assembleAgent, type AgentSource, type Contents, type Ports } from './contents.ts';
import type { Certified } from './coverage-gate.ts';
import type { GardenPlan, SharedGardenPlan } from './garden-plan.ts';
import { judgeGarden } from './judge-garden.ts';
import { functionWordsOf } from './language/function-words.ts';
import { modelIn } from './language/model-for-language.ts';
import { gatherPhrases } from './phrases/garden-phrases.ts';
import { checkNeeded } from './quarantine.ts';
import { grantReaders } from './reader-grants.ts';
import { readFallbacks, type UnitFacts } from './unit-facts.ts';
import { buildVersionedUnits, type VersionedUnits } from './versioned-units.ts';

export interface BuiltGarden {
  readonly garden: Garden;
  readonly faults: readonly Diagnostic[];
}

/** An agent's garden. */
export interface BuiltAgentGarden extends BuiltGarden {
  /** Number of its units that the manifest lists, and the units without a trigger. */
  readonly listed: ListedUnits | null;
}

/** The shared garden, with its units for the agents' gardens. */
export interface BuiltSharedGarden extends BuiltGarden {
  readonly unitFacts: readonly UnitFacts[];
  readonly quarantined: readonly QuarantinedFact[];
  /** All its units, including quarantined ones. */
  readonly units: readonly Unit[];
}

/** Parses, checks, versions, screens and attests the shared garden. */
export async function buildSharedGarden(
  context: CompileContext,
  { trace }: SharedGardenPlan,
): Promise<BuiltSharedGarden> {
  const { units, faults } = parseUnits(context, context.site.shared, SHARED);
  const known = unitNames(context.site.shared);
  const names = { known, knownOwn: known, knownShared: known };
  const phrases = { own: null, shared: null };
  const draft = { agent: null, probes: null, phrases, units, shared: [], ...names };
  const checked = checkGarden({ ...draftOf(context), ...draft });
  const versioned = await buildVersionedUnits(context, SHARED, units, context.site.shared, new Map());
  const predicate: GardenPredicate = {
    ...commonPredicate(context, SHARED),
    ...head(trace),
    ...versioned.predicate,
    garden_id: gardenId(context.org.deployment, SHARED),
    agent: null,
    signals: [],
    model: null,
    shared: null,
    manifest_version: null,
    stubs: [],
    paths: [],
    recertify_by: null,
  };
  const garden = attestGarden(predicate, versioned.contents.named, versioned.contents.files, context.signers);
  return {
    garden,
    faults: [...faults, ...checked, ...versioned.faults],
    unitFacts: versioned.unitFacts,
    quarantined: versioned.quarantined,
    units,
  };
}

/** Parses, checks, versions, screens, lists, renders, indexes and attests one agent's garden. */
export async function buildAgentGarden(
  deployment: CompileContext,
  plan: GardenPlan,
  shared: BuiltSharedGarden,
): Promise<BuiltAgentGarden> {
  const language = languageOf(deployment.org, plan.agent.config);
  const context = { ...deployment, model: modelIn(language, deployment.model) };
  const { units, faults } = parseUnits(context, plan.site.units, plan.name);
  const legacy = new Map(context.legacy.map((file) => [file.path, file]));
  const checked = checkAgent(context, plan, units, { shared: shared.unitFacts.map((it) => it.unit), legacy });
  const rules = await readRules(context, plan);
  const fallbacks = await readFallbacks(context, units, legacy);
  const ungranted = await buildVersionedUnits(context, plan.name, units, plan.site.units, fallbacks.byUnit);
  const versioned = grantReaders(context, plan, ungranted);
  const quarantined = [...versioned.quarantined, ...shared.quarantined];
  const needed = checkNeeded(quarantined, neededBy(plan, [...units, ...shared.units]));
  const found = { own: versioned.unitFacts, shared: shared.unitFacts };
  const source = {
    ...sourceOf(context, plan, rules.value ?? ''),
    ...found,
    phrases: gatherPhrases(plan.phrases, found),
  };
  const ports = { ...portsOf(context), functionWords: await functionWordsOf(language) };
  const agent = await assembleAgent(source, ports);
  const all = [...versioned.unitFacts, ...shared.unitFacts];
  const judged = await judgeGarden(context, plan, all, agent);
  const garden = attestAgent(context, plan, shared.garden.digest, versioned, agent, judged, fallbacks.files);
  const late = [...needed, ...agent.faults, ...judged.faults];
  return {
    garden,
    listed: agent.manifest && countListed(plan.name, agent.manifest, judged.untriggered),
    faults: [...faults, ...checked, ...rules.faults, ...fallbacks.faults, ...versioned.faults, ...late],
  };
}

/** Checks an agent's units as a garden, beside the shared ones. */
function checkAgent(
  context: CompileContext,
  plan: GardenPlan,
  units: readonly Unit[],
  beside: { readonly shared: readonly Unit[]; readonly legacy: ReadonlyMap<string, TreeFile> },
): Diagnostic[] {
  const knownOwn = unitNames(plan.site.units);
  const knownShared = unitNames(context.site.shared);
  const known = new Set([...knownOwn, ...knownShared]);
  const { agent, probes, phrases } = plan;
  return checkGarden({ ...draftOf(context), ...beside, agent, probes, phrases, units, known, knownOwn, knownShared });
}

function portsOf({ countTokens, graphs, threads, model }: CompileContext): Omit<Ports, 'functionWords'> {
  return { countTokens, graphs, threads, encoder: model?.encoder ?? null, model: model?.pin.name ?? null };
}

/** `boot.md` and the role are always delivered, so unsafe text in them cannot be quarantined, only refused. */
async function readRules(
  { read, kept }: Pick<CompileContext, 'read' | 'kept'>,
  { agent, site: { boot, config } }: GardenPlan,
): Promise<Parsed<string>> {
  const unsafe = config ? await lintAgent(agent, read(config).toString('utf8'), undefined, kept) : [];
  if (boot === null) return { value: '', faults: unsafe };
  const { value, faults } = parseText(boot.path, read(boot));
  return {
    value,
    faults: [...unsafe, ...faults, ...(value === null ? [] : await lintText(boot.path, value, undefined, kept))],
  };
}

function sourceOf(
  context: CompileContext,
  plan: GardenPlan,
  rules: string,
): Omit<AgentSource, 'own' | 'shared' | 'phrases'> {
  return {
    deployment: context.org.deployment,
    name: plan.name,
    agent: plan.agent.config,
    file: plan.agent.file,
    folder: context.sources.folder,
    rules: { text: rules, file: plan.site.boot?.path ?? plan.agent.file },
    manifest_version: plan.trace.version,
    updated_at: plan.trace.versioned_at,
    probes: plan.probes?.set ?? null,
    startup_view: context.org.boot_stub?.startup_view === true,
  };
}

/** Units that an agent requires. */
function neededBy({ agent }: GardenPlan, units: readonly Unit[]): Set<string> {
  const guaranteed = units.filter((unit) => unit.delivery.guarantee_load).map((unit) => unit.name);
  return new Set([agent.config.heartbeat_contract, ...guaranteed]);
}

function attestAgent(
  context: CompileContext,
  plan: GardenPlan,
  sharedDigest: string,
  versioned: VersionedUnits,
  agent: Contents,
  certified: Certified,
  fallbacks: ReadonlyMap<string, Buffer>,
): Garden {
  const predicate: GardenPredicate = {
    ...commonPredicate(context, plan.name),
    ...head(plan.trace),
    ...versioned.predicate,
    approvals: [...versioned.predicate.approvals, ...certified.used],
    garden_id: gardenId(context.org.deployment, plan.agent.config.agent_id),
    agent: plan.agent.config,
    signals: signalsOf(agent.files.has(INDEX_FILES.vectors)),
    model: context.model?.pin ?? null,
    shared: sharedDigest,
    manifest_version: agent.manifest?.manifest_version ?? null,
    ...manifestOf(context, plan),
    stubs: agent.stubs.map(({ profile, token_count }) => ({ profile, token_count })),
    paths: [...fallbacks.keys()].sort(),
    recertify_by: certified.recertify_by,
  };
  const files = new Map([
    ...versioned.contents.files,
    ...agent.files,
    ...certified.files,
    ...[...fallbacks].map(([path, bytes]) => [`files/${path}`, bytes] as const),
  ]);
  return attestGarden(predicate, new Map([...versioned.contents.named, ...agent.named]), files, context.signers);
}

/** §21.4.3: the authors of a manifest's version: everyone who wrote a change of the last step that it counts. */
function manifestOf({ attribute }: SourceHistory, { trace }: GardenPlan): Pick<GardenPredicate, 'manifest'> {
  const { versioned_by: step, versioned_at, sources } = trace;
  if (!step) return {};
  const attribution = together(step.changes.map((change) => attribute(step.commit, change)));
  const { now: source_digest, before: derived_from } = sources;
  return {
    manifest: { ...provenanceOf(step.commit, attribution), source_digest, derived_from, created_at: versioned_at },
  };
}

function commonPredicate(context: CompileContext, garden: string) {
  return { deployment: context.org.deployment, garden, compiler: context.compiler };
}

function head({ serial, commit, committed_at }: GardenPlan['trace']) {
  return { serial, commit, committed_at };
}

function draftOf(context: CompileContext) {
  return { folder: context.sources.folder, org: context.org, legacy: new Map<string, TreeFile>() };
}
