import { resolve } from 'node:path';
import { findGarden, loadGarden, loadShared } from '../../io/bundle/load-garden.ts';
import { openBundle, type OpenBundle, type ProvenGarden } from '../../io/bundle/open-bundle.ts';
import { openQueries, type Queries } from '../../io/models/encoder.ts';
import { markCopies } from '../../quality/copied-probes.ts';
import { runProbes } from '../../quality/probes.ts';
import type { RecallGarden } from '../../recall/recall-garden.ts';
import { Coverage, type UnitCoverage } from '../../schema/bundle/coverage.ts';
import type { Fact } from '../../schema/bundle/fact.ts';
import { VadeError } from '../../schema/errors.ts';
import { PhraseFile, type UnitPhrases } from '../../schema/source/phrases.ts';
import type { Probe, ProbeResult } from '../../schema/source/probe.ts';
import { blobStore } from '../../sources/blobs.ts';
import { classifyFiles } from '../../sources/classify-files.ts';
import { configure, type Configuration } from '../../sources/config.ts';
import type { SignedRoot } from '../../trust/root-chain.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { PROBE } from '../../world/flags/quality.ts';
import { inForce } from '../../world/in-force.ts';
import { hubOf } from '../../world/model-hub.ts';
import { readSources, type SourceFlags } from '../../world/read-sources.ts';
import { pinnedRoot } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';

/**
 * The probes of the sources, and the deployment's policy for them: at a commit, or in the working tree.
 *
 * @throws source_not_found, ref_not_found, sources_invalid
 */
export async function readProbes(flags: SourceFlags, world: World): Promise<Configuration> {
  const sources = await readSources(flags, world);
  const { site } = classifyFiles(sources);
  const { configuration, faults } = await configure({ ...site, phrases: new Map() }, blobStore(sources));
  const broken = faults.filter((it) => it.severity === 'error');
  if (broken.length > 0) throw new VadeError('sources_invalid', `${flags.source}/ has errors`, { faults: broken });
  return configuration;
}

type BundleFlags = Pick<Arguments<typeof PROBE>, 'trust' | 'dev' | 'models'>;

/** A bundle on which probes can run. */
export interface ProbeTarget {
  readonly bundle: OpenBundle;
  /** An agent's garden, ready to answer; null if the bundle has no such agent. */
  readonly garden: (agent: string) => RecallGarden | null;
  /** Coverage of each unit, as its coverage gate measured it; empty if the bundle has no such agent. */
  readonly coverage: (agent: string) => readonly UnitCoverage[];
  /** The phrases of its units; empty if the bundle has no such agent. */
  readonly phrases: (agent: string) => readonly UnitPhrases[];
  readonly queries: Queries;
  readonly now: string;
}

/**
 * Opens a bundle to answer as a server would; `pinned` for one with a trust root of its own.
 *
 * @throws bundle_not_found, bundle_unverified, model_unavailable
 */
export async function openProbeTarget(
  folder: string,
  flags: BundleFlags,
  world: World,
  pinned: SignedRoot = pinnedRoot(flags, world),
): Promise<ProbeTarget> {
  const now = world.now().toISOString();
  const bundle = openBundle(resolve(world.cwd, folder), { pinned, now });
  const served = inForce(bundle);
  let shared: readonly Fact[] | undefined;
  const garden = (agent: string) => {
    const name = findGarden(bundle, agent);
    return name === null ? null : served(loadGarden(bundle, name, (shared ??= loadShared(bundle))).recall);
  };
  const coverage = (agent: string) => {
    const name = findGarden(bundle, agent);
    return name === null ? [] : coverageIn(bundle.readGarden(name));
  };
  const phrases = (agent: string) => {
    const name = findGarden(bundle, agent);
    return name === null ? [] : phrasesIn(bundle.readGarden(name));
  };
  const queries = await openQueries(bundle.org.model, resolve(world.cwd, flags.models), hubOf(world));
  return { bundle, garden, coverage, phrases, queries, now };
}

/** The coverage of a verified garden; loading the garden has proven it. */
function coverageIn({ files }: Pick<ProvenGarden, 'files'>): readonly UnitCoverage[] {
  const bytes = files.get('coverage.json');
  return bytes ? Coverage.parse(JSON.parse(bytes.toString('utf8'))).units : [];
}

/** The phrases of a verified garden. */
function phrasesIn({ files }: Pick<ProvenGarden, 'files'>): readonly UnitPhrases[] {
  const bytes = files.get('phrases.json');
  return bytes ? PhraseFile.parse(JSON.parse(bytes.toString('utf8'))).units : [];
}

/** Runs probes on an agent's garden; null if the bundle has no such agent. */
export async function probeAgent(
  { garden: gardenOf, phrases, queries, now }: ProbeTarget,
  agent: string,
  probes: readonly Probe[],
): Promise<{ readonly garden: RecallGarden; readonly results: ProbeResult[] } | null> {
  const garden = gardenOf(agent);
  if (garden === null) return null;
  const results = await runProbes(garden, probes, (intent) => queries(intent, garden.index), now);
  const said = new Map(phrases(agent).map((it) => [it.name, it.phrases]));
  return { garden, results: markCopies(garden, probes, results, (unit) => said.get(unit) ?? []) };
}
