import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeBundle } from '../../../compiler/io/bundle/write-bundle.ts';
import { KEPT_ROOTS, type Bundle } from '../../../compiler/schema/bundle/bundle.ts';
import { sha256 } from '../../../compiler/trust/canonical.ts';
import { testTrust } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { readPublished } from '../published.ts';
import { successiveBundles } from '../successive-bundles.ts';

const WRITER = fileURLToPath(new URL('../../../dist/compiler/io/bundle/write-bundle.js', import.meta.url));
const STEPPING = fileURLToPath(new URL('stepping.mjs', import.meta.url));
const trust = testTrust({ development: true });
/** As many bundles as are kept, and the next. */
let bundles: readonly Bundle[];
/** The folder with the first bundles, as many as are kept. */
let published: string;

beforeAll(async () => {
  bundles = await successiveBundles(KEPT_ROOTS + 1, trust);
  published = tempFolder();
  for (const bundle of bundles.slice(0, -1)) writeBundle(published, bundle, null);
}, 60_000);

const at = (n: number): Bundle => bundles.at(n) as Bundle;

/** A bundle in the form that stepping.mjs reads. */
function written(bundle: Bundle): string {
  const text = (files: ReadonlyMap<string, Buffer>) => [...files].map(([name, it]) => [name, it.toString('base64')]);
  const built = bundle.built.map((it) => ({
    ...it,
    envelope: it.envelope.toString('base64'),
    files: text(it.files),
  }));
  const file = join(tempFolder(), 'bundle.json');
  writeFileSync(file, JSON.stringify({ modules: WRITER, bundle: { ...bundle, files: text(bundle.files), built } }));
  return file;
}

/** Every so many disk operations a writer is killed for real. */
const KILL_EVERY = 10;

function step(...args: string[]) {
  const { signal, status, stderr, stdout } = spawnSync(process.execPath, [STEPPING, ...args], { encoding: 'utf8' });
  return { end: [signal, status, stderr], stdout };
}

function copyOf(folder: string): string {
  const copy = join(tempFolder(), 'bundle');
  cpSync(folder, copy, { recursive: true });
  return copy;
}

/**
 * Looks at what a writer that is killed before each of its disk operations leaves. One writer keeps a copy before each
 * of them; killed writers leave the same, byte by byte.
 *
 * @returns how many operations there are
 */
function killAtEach(from: string, bundle: Bundle, look: (folder: string) => void): number {
  const file = written(bundle);
  const [folder, states] = [copyOf(from), tempFolder()];
  const { end, stdout } = step(file, folder, '--states', states);
  expect(end).toEqual([null, 0, '']);
  const steps = Number(stdout);
  for (let n = 1; n <= steps; n += KILL_EVERY) {
    const killed = copyOf(from);
    expect(step(file, killed, '--kill', String(n)).end).toEqual(['SIGKILL', null, '']);
    expect(contentOf(killed)).toEqual(contentOf(join(states, String(n))));
  }
  for (let n = 1; n <= steps; n++) look(join(states, String(n)));
  look(folder);
  return steps;
}

/** Paths of folders and files with their bytes; the names of scratch files are random. */
function contentOf(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return paths
    .map((path) => {
      const bytes = statSync(join(folder, path)).isFile() ? sha256(readFileSync(join(folder, path))) : 'folder';
      return `${path.replaceAll(/(\.tmp-(?:[^/]*-)?)[0-9a-f]{12}/g, '$1…')} ${bytes}`;
    })
    .sort();
}

/** Reads every garden of the current bundle. @throws bundle_unverified */
function revisionOf(folder: string): string {
  const { bundle, root } = readPublished(folder, trust);
  for (const { garden } of root.gardens) bundle.readGarden(garden);
  return bundle.revision;
}

/** Writes again, as the next compile does, and returns the current revision. */
function repaired(folder: string, bundle: Bundle): string {
  writeBundle(folder, bundle, null);
  expect(readdirSync(folder).filter((it) => it.startsWith('.'))).toEqual([]);
  return revisionOf(folder);
}

function damaged(): string {
  const folder = copyOf(published);
  const { garden, digest } = entryOf(at(-2));
  const place = join(folder, 'gardens', garden, digest);
  writeFileSync(join(place, 'facts.json'), '{}');
  rmSync(join(place, 'manifest.json'));
  writeFileSync(join(folder, 'roots', at(-2).revision, 'org.json'), '{}');
  return folder;
}

const entryOf = ({ statement }: Bundle) => {
  const found = statement.predicate.gardens.find((it) => it.garden === 'cto');
  if (!found) throw new Error('there is no cto');
  return found;
};

/** The existing versions of the manifest, in a garden or superseded. */
function manifestsIn(folder: string): number {
  const superseded = join(folder, 'superseded', 'cto');
  const alone = readdirSync(folder).includes('superseded') ? readdirSync(superseded) : [];
  return readdirSync(join(folder, 'gardens', 'cto')).length + alone.length;
}

describe('DESIGN §8 a writer that is killed before any of its disk operations', () => {
  test('a killed repair leaves damage only where it was before', () => {
    const bundle = at(-2);
    const ends = new Set<boolean>();
    const steps = killAtEach(damaged(), bundle, (folder) => {
      ends.add(isWhole(folder));
      expect(repaired(folder, bundle)).toBe(bundle.revision);
    });
    expect(steps).toBeGreaterThan(20);
    expect(ends).toEqual(new Set([false, true]));
  }, 900_000);

  test('a killed writer never makes an incomplete bundle current, and loses no manifest', () => {
    const [before, after] = [at(-2), at(-1)];
    const seen = new Set<string>();
    const steps = killAtEach(published, after, (folder) => {
      seen.add(revisionOf(folder));
      expect(repaired(folder, after)).toBe(after.revision);
      expect(manifestsIn(folder)).toBe(KEPT_ROOTS + 1);
    });
    expect(steps).toBeGreaterThan(20);
    expect(seen).toEqual(new Set([before.revision, after.revision]));
  }, 900_000);
});

function isWhole(folder: string): boolean {
  try {
    revisionOf(folder);
    return true;
  } catch {
    return false;
  }
}
