import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type AdministratorDecisions, loadFiled, readDecisions } from '../../gardens/approvals/read-decisions.ts';
import type { CompileContext } from '../../gardens/compile-context.ts';
import { readHistory } from '../../gardens/read-history.ts';
import { attributor, type Register, registerOf } from '../../history/attribution.ts';
import { readCommitSigners } from '../../history/commit-signers.ts';
import { blobsOf, type GardenHistory, historiesOf, versionUnit } from '../../history/unit-versions.ts';
import type { FactVersion } from '../../schema/bundle/fact.ts';
import { VadeError } from '../../schema/errors.ts';
import type { Org } from '../../schema/source/org.ts';
import { shownPath, type Sources, sourcesMissing, type TreeFile } from '../../schema/source/sources.ts';
import { SHARED } from '../../schema/uri.ts';
import { blobStore, type BlobStore, readOfferedRoots, unitBlobs } from '../../sources/blobs.ts';
import { classifyFiles, type Site, unitName } from '../../sources/classify-files.ts';
import { type Configuration, configure } from '../../sources/config.ts';
import { assertInForce, chainFrom, readRoot, type SignedRoot } from '../../trust/root-chain.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { openSourcesAt } from '../../world/read-sources.ts';
import { pinnedRoot } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';
import type { APPROVE } from '../flags/trust.ts';

export type SiteFlags = Pick<Arguments<typeof APPROVE>, 'repo' | 'source' | 'ref' | 'trust' | 'dev'>;

/** The sources of one garden at a ref, as a compile of the next commit will read them. */
export interface OpenSite {
  readonly sources: Sources;
  readonly site: Site;
  readonly org: Org;
  readonly agents: Configuration['agents'];
  readonly phrases: Configuration['phrases'];
  /** The trust root in force at the ref; `pinned`: whether it follows from `--trust`. Null without one. */
  readonly trust: (SignedRoot & { readonly pinned: boolean }) | null;
  readonly administratorDecisions: AdministratorDecisions | null;
  readonly read: (file: TreeFile) => Buffer;
  /** Reads more blobs. */
  readonly load: (blobs: readonly string[]) => Promise<Pick<BlobStore, 'read' | 'blob'>>;
  /** Every version of a unit, the one in force last. */
  readonly versions: (file: TreeFile) => readonly FactVersion[];
  /** The legacy files that units of any migrating agent name (§21.6.1), and these agents by path. */
  readonly legacy: readonly TreeFile[];
  readonly legacyOwners: CompileContext['legacyOwners'];
  /** The history, which attributes versions to authors. */
  readonly past: Past;
}

interface Past extends Pick<CompileContext, 'commits' | 'attribute' | 'blob'> {
  readonly register: Register;
}

/** @throws source_not_found, ref_not_found, history_incomplete, sources_invalid, bundle_unverified */
export async function openSite(flags: SiteFlags, garden: string, world: World): Promise<OpenSite> {
  const repo = resolve(world.cwd, flags.repo);
  const sources = await openSourcesAt({ repo, folder: flags.source, ref: flags.ref, lenient: flags.dev }, world);
  const { site } = classifyFiles(sources);
  const blobs = blobStore(sources);
  const own = site.agents.get(garden);
  await blobs.load([...site.shared.map((file) => file.blob), ...(own ? unitBlobs(own) : [])]);
  const { configuration, faults } = await configure(site, blobs);
  const { org } = configuration;
  if (org === null) throw new VadeError('sources_invalid', `${sources.folder}/org.yaml cannot be read`, { faults });
  const roots = chainAt(flags, await readOfferedRoots(site, blobs), world);
  const current = roots.at(-1);
  const trust = current ? { ...current, pinned: flags.trust !== undefined } : null;
  const at = world.now().toISOString();
  // every caller signs under this root, and no reader accepts what is signed under an expired one
  if (trust) assertInForce(trust.root, at);
  const chain = roots.map(({ root }) => root);
  const judged = trust && { before: trust.root, current: trust, chain, envelopes: new Map<number, Buffer>() };
  const { commits, legacy, legacyOwners } = await readHistory({ sources, site, configuration, blobs }, true);
  const past = await readPast(org.deployment, sources, commits, blobs, trust);
  const filed = await loadFiled(site.approvals, { commits, folder: sources.folder, chain }, blobs);
  return {
    sources,
    site,
    org,
    agents: configuration.agents,
    phrases: configuration.phrases,
    trust,
    administratorDecisions: judged && readDecisions(filed, judged, at).administratorDecisions,
    read: blobs.read,
    load: async (ids) => {
      await blobs.load(ids);
      return blobs;
    },
    versions: await versionsIn(garden, org.deployment, sources, blobs, past),
    ...{ legacy, legacyOwners },
    past,
  };
}

/**
 * The chain of trust roots at the ref, from `--trust`. Without it, from the first root in the sources, for information
 * only: a compile decides with its own pinned root.
 */
function chainAt(flags: SiteFlags, offered: ReadonlyMap<number, Buffer>, world: World): SignedRoot[] {
  if (flags.trust !== undefined) {
    const pinned = pinnedRoot(flags, world);
    return chainFrom(pinned, new Map([[pinned.root.version, pinned.envelope], ...offered]));
  }
  const first = offered.get(Math.min(...offered.keys()));
  return first ? chainFrom(readRoot(first), offered) : [];
}

async function readPast(
  deployment: string,
  sources: Sources,
  commits: Past['commits'],
  blobs: BlobStore,
  trust: OpenSite['trust'],
): Promise<Past> {
  const signers = trust ? await readCommitSigners(sources, commits, trust.root) : new Map<string, never>();
  const root = trust && trust.root;
  const register = registerOf(deployment, signers, root, root);
  return { commits, register, attribute: attributor(register), blob: blobs.blob };
}

async function versionsIn(
  garden: string,
  deployment: string,
  sources: Sources,
  blobs: BlobStore,
  { commits, attribute }: Past,
): Promise<OpenSite['versions']> {
  const histories = historiesOf(commits, sources.folder);
  await blobs.load([...blobsOf(histories.get(garden)), ...blobsOf(histories.get(SHARED))]);
  const of = (name: string): [string, GardenHistory] => [name, histories.get(name) ?? new Map()];
  const gardens = new Map([of(garden), of(SHARED)]);
  return (file) => {
    const owner = [...gardens].find(([, history]) => history.has(file.path));
    const series = { deployment, garden: owner?.[0] ?? garden, name: unitName(file.path), file: shownPath(file) };
    return versionUnit(series, owner?.[1].get(file.path) ?? [], blobs.blob, attribute);
  };
}

/** The path of a file in the working tree. */
export function inWorkingTree({ repo, source }: SiteFlags, world: World, ...path: string[]): string {
  const folder = resolve(world.cwd, repo, source);
  if (!existsSync(folder)) throw sourcesMissing(source, 'the working tree');
  return resolve(folder, ...path);
}
