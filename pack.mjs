// `npm pack` runs this first: the package is built from nothing, so that nothing of an earlier build is in it.
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

rmSync(join(dirname(fileURLToPath(import.meta.url)), 'dist'), { recursive: true, force: true });
await import('./build.mjs');
