// Bundles the gate into one file: it starts before every tool call, so it loads nothing else.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const outfile = join(here, '../../../dist/compiler/capabilities/gate/vade-gate.cjs');

const { outputFiles } = await build({
  entryPoints: [join(here, 'main.ts')],
  outfile,
  write: false,
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  legalComments: 'inline',
  logLevel: 'warning',
});

mkdirSync(dirname(outfile), { recursive: true });
const half = `${outfile}.${process.pid}.tmp`;
writeFileSync(half, outputFiles[0].contents);
// whole or not at all: a hook may be starting the one before
renameSync(half, outfile);
