import { traceOrigins } from '../history/origins.ts';
import type { Commit, Sources, TreeFile } from '../schema/source/sources.ts';
import type { BlobStore } from '../sources/blobs.ts';
import type { Site } from '../sources/classify-files.ts';
import type { Configuration } from '../sources/config.ts';
import { legacyOwners } from '../sources/paths.ts';
import { legacyBlobs } from './unit-authors.ts';

/** The sources and what has been read of them. */
interface ReadSources {
  readonly sources: Sources;
  readonly site: Site;
  readonly configuration: Configuration;
  readonly blobs: BlobStore;
}

/** The history of the sources. */
interface TracedHistory {
  readonly commits: readonly Commit[];
  /** The legacy files. */
  readonly legacy: readonly TreeFile[];
  /** The migrating agents whose units name a legacy file, by its path. */
  readonly legacyOwners: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * The history of the sources and of the legacy files that units of any migrating agent name (§21.6.1), with every text
 * that these files ever had loaded.
 *
 * @param findsOrigins whether it is looked up who first brought bytes in, as approvals and verified authors need
 */
export async function readHistory(
  { sources, site, configuration, blobs }: ReadSources,
  findsOrigins: boolean,
): Promise<TracedHistory> {
  const owners = await legacyOwners(site, configuration, blobs);
  const legacy = await sources.find([...owners.keys()].sort());
  const history = await sources.history(legacy.map((file) => file.path));
  const commits = findsOrigins ? await traceOrigins(sources, history) : history;
  await blobs.load(legacyBlobs(commits, legacy));
  const present = new Set(legacy.map((file) => file.path));
  return { commits, legacy, legacyOwners: new Map([...owners].filter(([path]) => present.has(path))) };
}
