import type { TreeFile } from '../schema/source/sources.ts';
import type { Site } from './classify-files.ts';
import type { Configuration } from './config.ts';
import { parseDelivery } from './unit.ts';

/** A relative path with `/` that stays where it is: nothing absolute, nothing that climbs, no oddities. */
export function isRepositoryPath(path: string): boolean {
  return (
    /^[\p{L}\p{N}_@+. -]+(\/[\p{L}\p{N}_@+. -]+)*$/u.test(path) &&
    !path.split('/').some((part) => /^\.{1,2}$|^\.git$/i.test(part))
  );
}

/** The `path`s that units of agents in migration name (§21.6.1): the front matter of their units is read for it, no others. */
export function legacyPaths(site: Site, configuration: Configuration, read: (file: TreeFile) => Buffer): string[] {
  const paths = [...configuration.agents].flatMap(([name, { config }]) =>
    config.migration_mode === 'stigmem' ? [] : pathsOf(site.agents.get(name)?.units ?? [], read),
  );
  return [...new Set(paths)].filter(isRepositoryPath).sort();
}

export function pathsOf(units: readonly TreeFile[], read: (file: TreeFile) => Buffer): string[] {
  return units.flatMap((file) => parseDelivery(file, read(file)).value?.path ?? []);
}
