// Bundles the page that `vade report` writes and /ui serves: `npm run build` runs it after the compiler's own.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const outdir = join(here, '../../../dist/compiler/present/page');

/** Other languages of zod's messages: three quarters of it, and nothing here is written in them. */
const oneLanguage = {
  name: 'one-language',
  setup: ({ onLoad }) => onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: 'export {}' })),
};

const { metafile, outputFiles } = await build({
  entryPoints: [join(here, 'app.tsx'), join(here, 'app.css')],
  outdir,
  write: false,
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['es2023', 'chrome110', 'firefox115', 'safari16.4'],
  charset: 'utf8',
  legalComments: 'none',
  metafile: true,
  define: { 'process.env.NODE_ENV': '"production"' },
  tsconfig: join(here, 'tsconfig.json'),
  plugins: [oneLanguage],
  logLevel: 'warning',
});

/** The licences of what is in it travel with it. */
const packages = new Set(
  Object.keys(metafile.inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
);
const licences = [...packages].sort().map((folder) => {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((it) => /^licen[cs]e/i.test(it));
  if (file === undefined || !existsSync(join(folder, file))) throw new Error(`${name} has no licence file`);
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
});
const notices = `\n/*\n${licences.join('\n---\n\n').replaceAll('*/', '* /')}*/\n`;

mkdirSync(outdir, { recursive: true });
for (const { path, text } of outputFiles) {
  // whole or not at all: a server may be reading the one before
  const half = `${path}.${process.pid}.tmp`;
  writeFileSync(half, path.endsWith('.js') ? text + notices : text);
  renameSync(half, path);
}
