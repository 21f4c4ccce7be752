// Writes what the command line would else work out at each start: its manifest, which agents read before their first command,
// and `vade recall` in one file. Both change only with the code.
import { build } from 'esbuild';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const dist = join(dirname(fileURLToPath(import.meta.url)), '../../dist');
const cli = join(dist, 'compiler/cli');
const { REGISTRY } = await import(join(cli, 'commands/index.js'));
const { buildManifest } = await import(join(cli, 'manifest.js'));
const { VERSION } = await import(join(dist, 'compiler/app/world/version.js'));

/** Whole or not at all: a command may be starting. */
function place(outfile, bytes) {
  const half = `${outfile}.${process.pid}.tmp`;
  writeFileSync(half, bytes);
  renameSync(half, outfile);
}

/** In one file every module still finds the files beside it, and of zod there is only what they use. */
const inOneFile = {
  name: 'in-one-file',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      if (!path.startsWith(dist)) return undefined;
      const own = `require('node:url').pathToFileURL(require('node:path').join(__dirname, ${JSON.stringify(relative(cli, path))})).href`;
      const text = readFileSync(path, 'utf8').replaceAll('import.meta.url', own);
      // esbuild knows which members of a namespace are used, and not those of an object
      return { contents: text.replace("import { z } from 'zod'", "import * as z from 'zod'") };
    });
  },
};

const recallFile = join(cli, 'recall-alone.cjs');
const { outputFiles } = await build({
  entryPoints: [join(cli, 'recall-alone.js')],
  outfile: recallFile,
  write: false,
  bundle: true,
  minify: true,
  platform: 'node',
  // not as a module, which would load the packages of a rare answer at its start
  format: 'cjs',
  target: 'node20',
  external: ['@xenova/transformers', 'better-sqlite3', 'pg', 'pino'],
  plugins: [inOneFile],
  legalComments: 'inline',
  logLevel: 'warning',
});

place(join(cli, 'manifest.json'), JSON.stringify(buildManifest(REGISTRY, VERSION)));
place(recallFile, outputFiles[0].contents);
