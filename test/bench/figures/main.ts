// The figures of the code as a Markdown table: of the working tree, or of commits.
//
//   npm run figures [-- --at <ref>]...
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { figuresOf, toTable, type Figures } from './figures.ts';

const PLACES = ['README.md', 'compiler', 'server', 'test'];

const { values } = parseArgs({ options: { at: { type: 'string', multiple: true } } });
const columns = values.at?.map((ref) => [ref, figuresAt(ref)] as const) ?? [['working tree', figuresIn('.')] as const];
process.stdout.write(`${toTable(new Map(columns))}\n`);

/** By way of a folder of its own, so that one program measures before and after. */
function figuresAt(ref: string): Figures {
  const folder = mkdtempSync(join(tmpdir(), 'vade-figures-'));
  try {
    const archive = execFileSync('git', ['archive', ref, '--', ...PLACES], { maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    return figuresIn(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function figuresIn(root: string): Figures {
  return figuresOf(new Map(PLACES.flatMap((place) => textsIn(root, place))));
}

function textsIn(root: string, path: string): [string, string][] {
  if (/\.\w+$/.test(path)) return /\.(tsx?|mjs|md)$/.test(path) ? [[path, readFileSync(join(root, path), 'utf8')]] : [];
  const folders = readdirSync(join(root, path), { withFileTypes: true });
  return folders
    .filter((it) => it.isDirectory() || it.name.includes('.'))
    .flatMap(({ name }) => textsIn(root, `${path}/${name}`));
}
