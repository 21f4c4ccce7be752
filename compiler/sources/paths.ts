import type { TreeFile } from '../schema/source/sources.ts';
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

/** The `path`s in units of agents in migration (§21.6.1); no other front matter is read for it. */
export function legacyPaths(site: Site, configuration: Configuration, read: (file: TreeFile) => Buffer): string[] {
  const paths = [...configuration.agents].flatMap(([name, { config }]) =>
    config.migration_mode === 'stigmem' ? [] : pathsOf(site.agents.get(name)?.units ?? [], read),
  );
  return [...new Set(paths)].filter(isRepositoryPath).sort();
}

export function pathsOf(units: readonly TreeFile[], read: (file: TreeFile) => Buffer): string[] {
  return units.flatMap((file) => parseDelivery(file, read(file)).value?.path ?? []);
}
