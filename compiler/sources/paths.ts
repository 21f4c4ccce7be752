import type { BlobStore } from './blobs.ts';
import type { Site } from './classify-files.ts';
import type { Configuration } from './config.ts';
import { parseDelivery } from './unit.ts';

/** Whether a path is relative, uses `/`, and has neither `.`, `..` or `.git` parts nor unusual characters. */
export function isRepositoryPath(path: string): boolean {
  return (
    /^[\p{L}\p{N}_@+. -]+(\/[\p{L}\p{N}_@+. -]+)*$/u.test(path) &&
    !path.split('/').some((part) => /^\.{1,2}$|^\.git$/i.test(part))
  );
}

/** The `path`s in units of agents in migration (§21.6.1), with these agents; loads these units. */
export async function legacyOwners(
  site: Site,
  configuration: Configuration,
  blobs: Pick<BlobStore, 'loadFiles' | 'read'>,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const migrating = [...configuration.agents].filter(([, { config }]) => config.migration_mode !== 'stigmem');
  const units = migrating.flatMap(([name]) => (site.agents.get(name)?.units ?? []).map((file) => ({ name, file })));
  await blobs.loadFiles(units.map(({ file }) => file));
  const owners = new Map<string, Set<string>>();
  for (const { name, file } of units) {
    const { path } = parseDelivery(file, blobs.read(file)).value ?? { path: null };
    if (path !== null && isRepositoryPath(path)) owners.set(path, (owners.get(path) ?? new Set()).add(name));
  }
  return owners;
}
