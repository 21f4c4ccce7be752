import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VadeError } from '../../schema/errors.ts';

/** Relative to the sources, and relative to the build. */
const FOLDERS = ['../../capabilities/library', '../../../../compiler/capabilities/library'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** The standard atoms and roles: their files by path below the sources of a handbook. @throws source_not_found */
export function readLibrary(): Map<string, Buffer> {
  const folder = FOLDERS.find((it) => existsSync(it));
  if (folder === undefined) throw new VadeError('source_not_found', 'the library of atoms and roles is missing');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
  const paths = files.map((it) => join(it.parentPath, it.name)).sort();
  return new Map(paths.map((path) => [path.slice(folder.length + 1).replaceAll('\\', '/'), readFileSync(path)]));
}
