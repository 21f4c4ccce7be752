import type { TreeFile } from '../../schema/source/sources.ts';
import { placeCapability, type CapabilitySite } from '../../sources/place-capability.ts';

/** Atoms and roles from files in memory, by path below the sources. */
export function sourcesFrom(files: ReadonlyMap<string, Buffer>): {
  site: CapabilitySite;
  read: (file: TreeFile) => Buffer;
} {
  const site: CapabilitySite = { atoms: new Map(), roles: new Map() };
  for (const [path, { length: size }] of files) {
    placeCapability(site, { path, mode: '100644', blob: path, size }, path.split('/'));
  }
  return { site, read: ({ path }) => files.get(path) ?? Buffer.alloc(0) };
}
