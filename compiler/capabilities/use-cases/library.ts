import { readLibrary } from '../../io/files/library-files.ts';
import { atomFolder } from '../../schema/capability/atom-name.ts';
import { VadeError } from '../../schema/errors.ts';
import { suggestedKey } from '../../schema/known-keys.ts';
import type { TreeFile } from '../../schema/source/sources.ts';
import { placeCapability, type CapabilitySite } from '../../sources/place-capability.ts';
import { readCapabilities, type Capabilities } from '../read-capabilities.ts';
import { sourcesOf } from '../resolve/resolve-role.ts';

/** The standard atoms and roles, and their files by path below the sources. */
export interface Library {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly capabilities: Capabilities;
}

/** Reads the library that this version of Vademecum brings along. @throws source_not_found */
export function openLibrary(): Library {
  const files = readLibrary();
  const { site, read } = sourcesFrom(files);
  return { files, capabilities: readCapabilities(site, '', read).capabilities };
}

/**
 * The files of atoms and roles of the library; a role brings along the roles that it extends, and all their atoms.
 *
 * @throws argument_invalid for a name that the library does not have
 */
export function filesOf({ files, capabilities }: Library, atoms: readonly string[], roles: readonly string[]) {
  assertKnown('atom', atoms, capabilities.known.atoms);
  assertKnown('role', roles, capabilities.known.roles);
  const parts = roles.map((it) => sourcesOf(it, capabilities));
  const places = [
    ...new Set([...atoms, ...parts.flatMap((it) => it.atoms)].map((it) => `capabilities/${atomFolder(it)}/`)),
    ...new Set(parts.flatMap((it) => it.roles).map((it) => `roles/${it}.toml`)),
  ];
  return new Map([...files].filter(([path]) => places.some((it) => path.startsWith(it))));
}

function assertKnown(flag: string, names: readonly string[], known: ReadonlySet<string>): void {
  const unknown = names.find((it) => !known.has(it));
  if (unknown === undefined) return;
  const suggestion = suggestedKey(unknown, [...known]) ?? `it has ${[...known].sort().join(', ')}`;
  throw new VadeError('argument_invalid', `the library has no ${flag} ${unknown}`, { flag, suggestion });
}

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
