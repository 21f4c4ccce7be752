import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { announce, revisionOf } from '../../server/successive.ts';
import { compileToFolder, testTrust, type TestTrust } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { agentName, generate } from '../generate.ts';
import type { Chunk } from '../serve/load.ts';

/** Bundles of one deployment, from each to the next every unit changed, all in one folder; the first is current. */
export interface Editions {
  readonly bundle: string;
  readonly revisions: readonly string[];
  /** A file of the agent's garden in the n-th bundle. */
  readonly gardenFiles: (n: number) => readonly string[];
  /** Fault of chunks that are said to be of a revision; null where all are, to the byte. */
  readonly judge: (revision: string, chunks: readonly Chunk[]) => string | null;
  readonly trust: TestTrust;
}

export async function editions(count: number): Promise<Editions> {
  const repo = join(tempFolder(), 'repo');
  mkdirSync(repo);
  generate(repo, { agents: 1, units: 12, commits: count - 1, touched: 12 });
  // development bundles may go back: a few are enough for many swaps
  const trust = testTrust({ development: true, deployment: 'bench' });
  const bundle = tempFolder();
  const folders: string[] = [];
  for (let n = 0; n < count; n++) {
    const previous = folders.at(-1);
    const ref = `main~${count - 1 - n}`;
    const { out } = await compileToFolder(repo, { trust, ref, ...(previous !== undefined && { previous }) });
    cpSync(out, bundle, { recursive: true });
    folders.push(out);
  }
  const revisions = folders.map(revisionOf);
  announce(bundle, revisions[0] ?? '');
  const gardens = folders.map(gardenIn);
  const texts = new Map(folders.map((it, n) => [revisions[n] ?? '', textsIn(join(it, gardens[n] ?? ''))]));
  const gardenFiles = (n: number) => filesIn(join(bundle, gardens[n] ?? ''));
  return { bundle, revisions, gardenFiles, judge: (...it) => faultIn(texts, ...it), trust };
}

/** The one version of the agent's garden in a folder of its own. */
function gardenIn(folder: string): string {
  const at = join('gardens', agentName(0));
  return join(at, readdirSync(join(folder, at))[0] ?? '');
}

function textsIn(garden: string): ReadonlyMap<string, string> {
  const { facts } = JSON.parse(readFileSync(join(garden, 'facts.json'), 'utf8')) as { facts: Chunk[] };
  return new Map(facts.map((it) => [it.name, it.content]));
}

function filesIn(folder: string): string[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
  return found.map((it) => join(it.parentPath, it.name)).sort();
}

type Texts = ReadonlyMap<string, ReadonlyMap<string, string>>;

function faultIn(texts: Texts, revision: string, chunks: readonly Chunk[]): string | null {
  const right = texts.get(revision);
  if (!right) return `an answer of ${revision}, which is no bundle`;
  if (chunks.length === 0) return `an answer of ${revision} without a chunk`;
  const mixed = chunks.filter((it) => right.get(it.name) !== it.content);
  return mixed.length === 0 ? null : `an answer of ${revision} has ${mixed.map((it) => it.name).join()} of another`;
}
