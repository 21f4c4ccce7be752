import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
// The figures of the code as a Markdown table: of the working tree, or of commits.
//
//   npm run figures [-- --at <ref>]...
import { build } from 'esbuild';
import type { Registry } from '../../../compiler/cli/registry.ts';
import { sizesOf } from './commands.ts';
import { figuresOf, toTable, type Figures } from './figures.ts';

const PLACES = ['README.md', 'compiler', 'server', 'test'];

const { values } = parseArgs({ options: { at: { type: 'string', multiple: true } } });
const columns: [string, Figures][] = [];
for (const ref of values.at ?? []) columns.push([ref, await figuresAt(ref)]);
if (columns.length === 0) columns.push(['working tree', await figuresIn('.')]);
process.stdout.write(`${toTable(new Map(columns))}\n`);

/** By way of a folder of its own, so that one program measures before and after. */
async function figuresAt(ref: string): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'vade-figures-'));
  try {
    const archive = execFileSync('git', ['archive', ref, '--', ...PLACES], { maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    return await figuresIn(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function figuresIn(root: string): Promise<Figures> {
  const texts = new Map(PLACES.flatMap((place) => textsIn(root, place)));
  const { commands, flags } = sizesOf(await registryOf(root));
  return new Map([...figuresOf(texts), ['commands that run something', `${commands}`], ['own flags', `${flags}`]]);
}

/** The commands of a tree, bundled to where its packages are found. */
async function registryOf(root: string): Promise<Registry> {
  const outfile = resolve('.cache', `figures-${process.pid}.mjs`);
  const entryPoints = [resolve(root, 'compiler/cli/commands/index.ts')];
  try {
    await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external' });
    const { REGISTRY } = (await import(`${pathToFileURL(outfile).href}?${root}`)) as { readonly REGISTRY: Registry };
    return REGISTRY;
  } finally {
    rmSync(outfile, { force: true });
  }
}

function textsIn(root: string, path: string): [string, string][] {
  if (/\.\w+$/.test(path)) return /\.(tsx?|mjs|md)$/.test(path) ? [[path, readFileSync(join(root, path), 'utf8')]] : [];
  const folders = readdirSync(join(root, path), { withFileTypes: true });
  return folders
    .filter((it) => it.isDirectory() || it.name.includes('.'))
    .flatMap(({ name }) => textsIn(root, `${path}/${name}`));
}
