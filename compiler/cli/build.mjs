// Writes the manifest of the command line, which changes only with the code: agents read it before their first command.
import { renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const dist = join(dirname(fileURLToPath(import.meta.url)), '../../dist/compiler');
const { REGISTRY } = await import(join(dist, 'cli/commands/index.js'));
const { buildManifest } = await import(join(dist, 'cli/manifest.js'));
const { VERSION } = await import(join(dist, 'app/world/version.js'));

const outfile = join(dist, 'cli/manifest.json');
const half = `${outfile}.${process.pid}.tmp`;
writeFileSync(half, JSON.stringify(buildManifest(REGISTRY, VERSION)));
// whole or not at all: a command may be starting
renameSync(half, outfile);
