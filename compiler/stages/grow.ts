import type { Fault } from '../model/fault.ts';
import type { Garden, GardenPredicate } from '../model/garden.ts';
import type { TreeFile } from '../model/sources.ts';
import type { Unit } from '../model/unit.ts';
import { gardenId, SHARED } from '../model/uri.ts';
import { signalsOf } from '../recall/rank.ts';
import { INDEX_FILES } from '../recall/searchindex.ts';
import { attestGarden } from '../trust/attest.ts';
import { assembleAgent, assembleFacts, type Contents } from './assemble.ts';
import { checkGarden } from './check.ts';
import { parseText, parseUnit } from './parse.ts';
import type { Plot, SharedPlot } from './plot.ts';
import { readFallbacks, sowAll, type Sown } from './sow.ts';
import type { Soil } from './soil.ts';
import { unitName } from './survey.ts';

export interface Grown {
  readonly garden: Garden;
  readonly faults: readonly Fault[];
}

/** The shared garden, with its units for the agents' gardens to take in. */
export interface GrownShared extends Grown {
  readonly sown: readonly Sown[];
}

/** Parses, checks, versions and attests the shared garden. */
export function growShared(soil: Soil, { trace }: SharedPlot): GrownShared {
  const { units, faults } = parseUnits(soil, soil.site.shared, SHARED);
  const known = namesOf(soil.site.shared);
  const checked = checkGarden({
    ...draftOf(soil),
    agent: null,
    units,
    shared: [],
    known,
    knownOwn: known,
    knownShared: known,
  });
  const { sown, history } = sowAll(soil, SHARED, units, new Map());
  const contents = assembleFacts(sown, history);
  const predicate: GardenPredicate = {
    ...commonPredicate(soil, SHARED),
    ...head(trace),
    garden_id: gardenId(soil.org.deployment, SHARED),
    agent: null,
    signals: [],
    model: null,
    shared: null,
    manifest_version: null,
    stubs: [],
    paths: [],
  };
  const garden = attestGarden(predicate, contents.named, contents.files, soil.signers);
  return { garden, faults: [...faults, ...checked], sown };
}

/** Parses, checks, versions, lists, renders, indexes and attests one agent's garden. */
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
  const rules = plot.site.boot ? parseText(plot.site.boot.path, soil.read(plot.site.boot)) : { value: '', faults: [] };
  const fallbacks = readFallbacks(soil, units, legacy);
  const { sown, history } = sowAll(soil, plot.name, units, fallbacks.byUnit);
  const own = assembleFacts(sown, history);
  const agent = await assembleAgent(
    {
      deployment: soil.org.deployment,
      name: plot.name,
      agent: plot.agent.config,
      file: plot.agent.file,
      folder: soil.sources.folder,
      rules: { text: rules.value ?? '', file: plot.site.boot?.path ?? plot.agent.file },
      manifest_version: plot.trace.version,
      updated_at: plot.trace.versioned_at,
      own: sown,
      shared: shared.sown,
    },
    { countTokens: soil.countTokens, encoder: soil.model?.encoder ?? null, graphs: soil.graphs },
  );
  const garden = attestAgent(soil, plot, shared.garden.digest, own, agent, fallbacks.files);
  return {
    garden,
    faults: [...faults, ...checked, ...rules.faults, ...fallbacks.faults, ...agent.faults],
  };
}

function attestAgent(
  soil: Soil,
  plot: Plot,
  sharedDigest: string,
  own: Contents,
  agent: Contents,
  fallbacks: ReadonlyMap<string, Buffer>,
): Garden {
  const predicate: GardenPredicate = {
    ...commonPredicate(soil, plot.name),
    ...head(plot.trace),
    garden_id: gardenId(soil.org.deployment, plot.agent.config.agent_id),
    agent: plot.agent.config,
    signals: signalsOf(agent.files.has(INDEX_FILES.vectors)),
    model: soil.model?.pin ?? null,
    shared: sharedDigest,
    manifest_version: agent.manifest?.manifest_version ?? null,
    stubs: agent.stubs.map(({ profile, token_count }) => ({ profile, token_count })),
    paths: [...fallbacks.keys()].sort(),
  };
  const files = new Map([
    ...own.files,
    ...agent.files,
    ...[...fallbacks].map(([path, bytes]) => [`files/${path}`, bytes] as const),
  ]);
  return attestGarden(predicate, new Map([...own.named, ...agent.named]), files, soil.signers);
}

function commonPredicate(soil: Soil, garden: string) {
  return { deployment: soil.org.deployment, garden, compiler: soil.compiler };
}

function head({ serial, commit, committed_at }: Plot['trace']) {
  return { serial, commit, committed_at };
}

function draftOf(soil: Soil) {
  return {
    folder: soil.sources.folder,
    org: soil.org,
    legacy: new Map<string, TreeFile>(),
    approvalsOptional: soil.development,
  };
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
