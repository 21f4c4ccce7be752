// Bundles all programs into few files: each file that a command loads takes time.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const dist = join(root, 'dist');
const chunks = join(dist, 'chunks');

/** Whole or not at all: a command may be starting. */
function place(outfile, bytes) {
  const half = `${outfile}.${process.pid}.tmp`;
  mkdirSync(dirname(outfile), { recursive: true });
  writeFileSync(half, bytes);
  renameSync(half, outfile);
}

/** Stands for the folder `dist` until it is known from which file it is looked for. */
const DIST = 'dist:/';

/** Bundled, every module still finds what lies beside its own file, and of zod there is only what is used. */
const asModules = {
  name: 'as-modules',
  setup({ onLoad }) {
    // it looks through the disk for packages that are not there
    onLoad({ filter: /@protobufjs\/inquire\/index\.js$/ }, () => ({ contents: 'module.exports = () => null' }));
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const own = `${DIST}${relative(root, path).replace(/ts$/, 'js')}`;
      const text = readFileSync(path, 'utf8').replaceAll('import.meta.url', `new URL('${own}', import.meta.url).href`);
      // esbuild knows which members of a namespace are used, and not those of an object
      return { contents: text.replace("import { z } from 'zod'", "import * as z from 'zod'"), loader: 'ts' };
    });
  },
};

/** Packages that most commands load, as each file takes time. They stay dependencies, installed with their licences. */
const BUNDLED = [
  '@sigstore/core',
  'canonicalize',
  'fastest-levenshtein',
  'gray-matter',
  'mdast-util-to-string',
  'protobufjs',
  'remark',
  'smol-toml',
  'stemmer',
  'ulid',
  'unbash',
  'unist-util-visit',
  'yaml',
  'zod',
];
const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const packages = Object.keys({ ...dependencies, ...optionalDependencies });

const PROGRAMS = [
  'compiler/app/build-worker.ts',
  'compiler/cli/main.ts',
  // imported by the hook's file where an event needs them
  'compiler/continuity/use-cases/startup.ts',
  'compiler/io/git/tracked.ts',
  'compiler/library/index.ts',
  'server/audit/sqlite/worker.ts',
  'server/continuity/thread/worker.ts',
];

/** Leaves a module that is imported when it is needed to its own file. */
const outside = (filter) => ({
  name: 'outside',
  setup({ onResolve }) {
    onResolve({ filter }, ({ path, kind, resolveDir }) =>
      kind === 'dynamic-import'
        ? { path: `${DIST}${relative(root, join(resolveDir, path)).replace(/ts$/, 'js')}`, external: true }
        : undefined,
    );
  },
});

const OPTIONS = {
  outbase: root,
  outdir: dist,
  write: false,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  // CommonJS packages need Node's require
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);",
  },
  external: packages.filter((it) => !BUNDLED.includes(it)),
  legalComments: 'inline',
  logLevel: 'warning',
};
const { outputFiles } = await build({
  ...OPTIONS,
  entryPoints: PROGRAMS.map((it) => join(root, it)),
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  plugins: [asModules],
});
// the hook of a host starts at each of its events: it is one file, and what few events need stays outside of it
const hook = await build({
  ...OPTIONS,
  entryPoints: [join(root, 'compiler/cli/hook-program.ts')],
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  banner: {
    js: "(function (exports, require, module, __filename, importFrom) { var ownUrl = require('node:url').pathToFileURL(__filename).href;",
  },
  footer: { js: '})' },
  define: { 'import.meta.url': 'ownUrl' },
  external: [...OPTIONS.external, 'yaml'],
  minify: true,
  plugins: [outside(/\/(use-cases\/startup|git\/tracked)\.ts$/), asModules],
});
const isChunk = ({ path }) => dirname(path) === chunks;
// every command would load it: forty languages, half a megabyte
const languages = outputFiles.flatMap(({ text }) => text.match(/^\/\/ node_modules\/zod\/v4\/locales\/.*/gm) ?? []);
if (languages.length > 1)
  throw new Error("all of zod is used somewhere: import { z } from 'zod' alone, and of z.core types alone");
// compiled code cannot import by itself: who runs it does
outputFiles.push(
  ...hook.outputFiles.map(({ path, text }) => ({ path, text: text.replaceAll('import("', 'importFrom("') })),
);
// the programs last: they name the others
for (const { path, text } of [...outputFiles.filter(isChunk), ...outputFiles.filter((it) => !isChunk(it))]) {
  place(path, text.replaceAll(DIST, `${relative(dirname(path), dist)}/`));
}

// the code that V8 makes of all functions of the hook's file, so that a start does not compile them again
const filename = join(dist, 'compiler/cli/hook-program.cjs');
setFlagsFromString('--no-lazy');
const script = new Script(readFileSync(filename, 'utf8'), { filename });
setFlagsFromString('--lazy');
place(join(dist, 'compiler/cli/hook-program.code'), script.createCachedData());

const left = readdirSync(chunks).filter((it) => !outputFiles.some(({ path }) => path === join(chunks, it)));
for (const name of left) rmSync(join(chunks, name));
