import { configurationFiles, lintConfiguration } from '../lint/lint-configuration.ts';
import { checkPhrases, checkProbes } from '../lint/validate-garden.ts';
import { VadeError } from '../schema/errors.ts';
import type { Org } from '../schema/source/org.ts';
import { orgMissing, otherCompiler, type TreeFile } from '../schema/source/sources.ts';
import { blobStore, loadSkillFiles, readOfferedRoots, unitBlobs, type BlobStore } from '../sources/blobs.ts';
import { classifyFiles, type AgentSite, type Site } from '../sources/classify-files.ts';
import { configure, type Configuration } from '../sources/config.ts';
import { capabilityBlobs } from '../sources/place-capability.ts';
import { parseUnit } from '../sources/unit.ts';
import type { SignedRoot } from '../trust/root-chain.ts';
import { resolveTrustRoot, type Trust } from './approvals/trust-root.ts';
import type { CompileInputs } from './compile-inputs.ts';
import type { FoundDiagnostics } from './found-diagnostics.ts';

/** The sources as a whole: their files, their configuration, and their trust roots. */
export interface ConfiguredSources {
  readonly site: Site;
  readonly blobs: BlobStore;
  readonly configuration: Configuration;
  readonly trust: Trust;
  /** Null if it cannot be read: then no garden can be built. */
  readonly org: Org | null;
}

/**
 * Sorts the files of the sources, and reads all of them but agents' units.
 *
 * @throws source_not_found, compiler_mismatch, bundle_unverified
 */
export async function readConfiguration(
  input: Pick<CompileInputs, 'sources' | 'compiler' | 'pinned' | 'signers' | 'isUnsigned' | 'kept'>,
  found: FoundDiagnostics,
): Promise<ConfiguredSources> {
  const { sources, pinned, signers, isUnsigned, kept } = input;
  const { site } = found.take(classifyFiles(sources));
  const blobs = blobStore(sources);
  await blobs.load([...site.shared.map((file) => file.blob), ...capabilityBlobs(site)]);
  await loadSkillFiles(site.shared, blobs);
  const offered = await readOfferedRoots(site, blobs);
  const trust = resolveTrustRoot(pinned, isUnsigned === true ? null : signers, offered);
  const { configuration } = found.take(await configure(site, blobs, kept));
  found.add([...checkProbes(site, configuration), ...checkPhrases(site, configuration)]);
  found.add(await lintOtherFiles(input, site, blobs));
  const org = requireOrg(input, configuration, trust.current);
  const unconfigured = unconfiguredAgents(site, configuration);
  await blobs.load(unconfigured.flatMap(unitBlobs));
  // their units are read as well, to report their diagnostics
  for (const { units } of unconfigured) parseFound(units, blobs, found);
  if (org === null) parseFound(site.shared, blobs, found);
  return { site, blobs, configuration, trust, org };
}

/** Agents for which no garden can be built. */
function unconfiguredAgents(site: Site, { org, agents }: Configuration): AgentSite[] {
  return [...site.agents.values()].filter(({ name }) => org === null || !agents.has(name));
}

/** Security diagnostics of files outside gardens: org.yaml, probes, phrases, approvals and uncompiled files. */
async function lintOtherFiles(
  { sources, kept }: Pick<CompileInputs, 'sources' | 'kept'>,
  site: Site,
  blobs: BlobStore,
) {
  const files = configurationFiles(site, sources);
  await blobs.loadFiles(files);
  return lintConfiguration(files, blobs.read, kept);
}

function parseFound(units: readonly TreeFile[], { read }: BlobStore, found: FoundDiagnostics): void {
  for (const file of units) found.take(parseUnit(file, read(file), ''));
}

function requireOrg(
  { sources, compiler }: Pick<CompileInputs, 'sources' | 'compiler'>,
  { org }: Configuration,
  trust: SignedRoot,
): Org | null {
  const path = `${sources.folder}/org.yaml`;
  if (!sources.tree.has(path)) throw orgMissing(path);
  if (org && org.compiler !== compiler) {
    const { message, help } = otherCompiler(path, org.compiler, compiler);
    throw new VadeError('compiler_mismatch', message, { suggestion: help });
  }
  if (org && !trust.root.development && org.deployment !== trust.root.deployment) {
    const message = `${path} is for deployment ${org.deployment}, but the trust root is for ${trust.root.deployment}`;
    throw new VadeError('bundle_unverified', message);
  }
  return org;
}
