import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The version of this package: of the command line, of the compiler and of the server. */
export const VERSION = readVersion(dirname(fileURLToPath(import.meta.url)));

/** Walks up to the package's own package.json: two levels from the sources, three from the build. */
function readVersion(folder: string): string {
  try {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>;
    if (name === 'vademecum' && version !== undefined) return version;
  } catch {
    // not in this folder: try the parent
  }
  return readVersion(dirname(folder));
}
