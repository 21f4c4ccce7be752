import type { Fault } from '../schema/diagnostics.ts';
import type { Garden, GardenPredicate } from '../schema/bundle/garden.ts';
import type { HeldFact } from '../schema/bundle/quarantine.ts';
import type { TreeFile } from '../schema/source/sources.ts';
import type { Unit } from '../schema/source/unit.ts';
import { gardenId, SHARED } from '../schema/uri.ts';
import { signalsOf } from '../recall/rank/rank.ts';
import { INDEX_FILES } from '../recall/index/search-index.ts';
import { attestGarden } from '../trust/attest.ts';
import { assembleAgent, type AgentSource, type Contents } from './contents.ts';
import { certify, type Certified } from './coverage-gate.ts';
import { checkGarden } from '../lint/validate-garden.ts';
import { grantReaders } from './reader-grants.ts';
import { checkNeeded } from './quarantine.ts';
import { lintText } from '../lint/lint-text.ts';
import { parseText, parseUnit, type Parsed } from '../sources/unit.ts';
import type { Plot, SharedPlot } from './garden-plan.ts';
import { probeGarden } from './probe-gate.ts';
import { ripen, type Ripe } from './versioned-units.ts';
import { readFallbacks, type Sown } from './unit-facts.ts';
import type { Soil } from './compile-context.ts';
import { unitName } from '../sources/classify-files.ts';
import { together } from '../history/attribution.ts';
import { provenanceOf } from '../history/unit-versions.ts';

export interface Grown {
  readonly garden: Garden;
  readonly faults: readonly Fault[];
}

/** The shared garden, with its units for the agents' gardens to take in. */
export interface GrownShared extends Grown {
  readonly sown: readonly Sown[];
  readonly held: readonly HeldFact[];
  /** All its units, those that are held back among them. */
  readonly units: readonly Unit[];
}

/** Parses, checks, versions, screens and attests the shared garden. */
export async function growShared(soil: Soil, { trace }: SharedPlot): Promise<GrownShared> {
  const { units, faults } = parseUnits(soil, soil.site.shared, SHARED);
  const known = namesOf(soil.site.shared);
  const draft = { agent: null, units, shared: [], known, knownOwn: known, knownShared: known };
  const checked = checkGarden({ ...draftOf(soil), ...draft });
  const ripe = await ripen(soil, SHARED, units, soil.site.shared, new Map());
  const predicate: GardenPredicate = {
    ...commonPredicate(soil, SHARED),
    ...head(trace),
    ...ripe.predicate,
    garden_id: gardenId(soil.org.deployment, SHARED),
    agent: null,
    signals: [],
    model: null,
    shared: null,
    manifest_version: null,
    stubs: [],
    paths: [],
    recertify_by: null,
  };
  const garden = attestGarden(predicate, ripe.contents.named, ripe.contents.files, soil.signers);
  return { garden, faults: [...faults, ...checked, ...ripe.faults], sown: ripe.sown, held: ripe.held, units };
}

/** Parses, checks, versions, screens, lists, renders, indexes and attests one agent's garden. */
export async function growAgent(soil: Soil, plot: Plot, shared: GrownShared): Promise<Grown> {
  const { units, faults } = parseUnits(soil, plot.site.units, plot.name);
  const knownOwn = namesOf(plot.site.units);
  const knownShared = namesOf(soil.site.shared);
  const legacy = new Map(soil.legacy.map((file) => [file.path, file]));
  const checked = checkGarden({
    ...draftOf(soil),
    agent: plot.agent,
    units,
    shared: shared.sown.map((it) => it.unit),
    known: new Set([...knownOwn, ...knownShared]),
    knownOwn,
    knownShared,
    legacy,
  });
  const rules = await readRules(soil, plot);
  const fallbacks = await readFallbacks(soil, units, legacy);
  const ripe = grantReaders(soil, plot, await ripen(soil, plot.name, units, plot.site.units, fallbacks.byUnit));
  const needed = checkNeeded([...ripe.held, ...shared.held], neededBy(plot, [...units, ...shared.units]));
  const source = sourceOf(soil, plot, rules.value ?? '', ripe.sown, shared.sown);
  const ports = { countTokens: soil.countTokens, encoder: soil.model?.encoder ?? null, graphs: soil.graphs };
  const agent = await assembleAgent(source, ports);
  const all = [...ripe.sown, ...shared.sown];
  const certified = await certify(soil, plot, all, agent);
  const probed = await probeGarden(soil, plot, all, agent);
  const judged = { ...certified, files: new Map([...certified.files, ...probed.files]) };
  const garden = attestAgent(soil, plot, shared.garden.digest, ripe, agent, judged, fallbacks.files);
  const late = [...needed, ...agent.faults, ...certified.faults, ...probed.faults];
  return {
    garden,
    faults: [...faults, ...checked, ...rules.faults, ...fallbacks.faults, ...ripe.faults, ...late],
  };
}

/** `boot.md` and the role are always delivered: what is unsafe in them cannot be held back, only refused. */
async function readRules(soil: Soil, { site: { boot, config } }: Plot): Promise<Parsed<string>> {
  const unsafe = config ? await lintText(config.path, soil.read(config).toString('utf8')) : [];
  if (boot === null) return { value: '', faults: unsafe };
  const { value, faults } = parseText(boot.path, soil.read(boot));
  return { value, faults: [...unsafe, ...faults, ...(value === null ? [] : await lintText(boot.path, value))] };
}

function sourceOf(soil: Soil, plot: Plot, rules: string, own: readonly Sown[], shared: readonly Sown[]): AgentSource {
  return {
    deployment: soil.org.deployment,
    name: plot.name,
    agent: plot.agent.config,
    file: plot.agent.file,
    folder: soil.sources.folder,
    rules: { text: rules, file: plot.site.boot?.path ?? plot.agent.file },
    manifest_version: plot.trace.version,
    updated_at: plot.trace.versioned_at,
    trim: soil.org.manifest.trim,
    own,
    shared,
  };
}

/** Units that an agent cannot do without. */
function neededBy({ agent }: Plot, units: readonly Unit[]): Set<string> {
  const guaranteed = units.filter((unit) => unit.delivery.guarantee_load).map((unit) => unit.name);
  return new Set([agent.config.heartbeat_contract, ...guaranteed]);
}

function attestAgent(
  soil: Soil,
  plot: Plot,
  sharedDigest: string,
  ripe: Ripe,
  agent: Contents,
  certified: Certified,
  fallbacks: ReadonlyMap<string, Buffer>,
): Garden {
  const predicate: GardenPredicate = {
    ...commonPredicate(soil, plot.name),
    ...head(plot.trace),
    ...ripe.predicate,
    approvals: [...ripe.predicate.approvals, ...certified.used],
    garden_id: gardenId(soil.org.deployment, plot.agent.config.agent_id),
    agent: plot.agent.config,
    signals: signalsOf(agent.files.has(INDEX_FILES.vectors)),
    model: soil.model?.pin ?? null,
    shared: sharedDigest,
    manifest_version: agent.manifest?.manifest_version ?? null,
    ...manifestOf(soil, plot),
    stubs: agent.stubs.map(({ profile, token_count }) => ({ profile, token_count })),
    paths: [...fallbacks.keys()].sort(),
    recertify_by: certified.recertify_by,
  };
  const files = new Map([
    ...ripe.contents.files,
    ...agent.files,
    ...certified.files,
    ...[...fallbacks].map(([path, bytes]) => [`files/${path}`, bytes] as const),
  ]);
  return attestGarden(predicate, new Map([...ripe.contents.named, ...agent.named]), files, soil.signers);
}

/** §21.4.3: who wrote the manifest's version: everybody who wrote any change of the last step that it counts. */
function manifestOf({ attribute }: Soil, { trace }: Plot): Pick<GardenPredicate, 'manifest'> {
  const { versioned_by: step, versioned_at, sources } = trace;
  if (!step) return {};
  const attribution = together(step.changes.map((change) => attribute(step.commit, change)));
  const { now: source_digest, before: derived_from } = sources;
  return {
    manifest: { ...provenanceOf(step.commit, attribution), source_digest, derived_from, created_at: versioned_at },
  };
}

function commonPredicate(soil: Soil, garden: string) {
  return { deployment: soil.org.deployment, garden, compiler: soil.compiler };
}

function head({ serial, commit, committed_at }: Plot['trace']) {
  return { serial, commit, committed_at };
}

function draftOf(soil: Soil) {
  return { folder: soil.sources.folder, org: soil.org, legacy: new Map<string, TreeFile>() };
}

function namesOf(files: readonly TreeFile[]): Set<string> {
  return new Set(files.map((file) => unitName(file.path)));
}

function parseUnits(soil: Soil, files: readonly TreeFile[], garden: string): { units: Unit[]; faults: Fault[] } {
  const parsed = files.map((file) => parseUnit(file, soil.read(file), garden));
  return {
    units: parsed.flatMap((it) => it.value ?? []),
    faults: parsed.flatMap((it) => it.faults),
  };
}
