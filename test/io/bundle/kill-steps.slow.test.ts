import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeBundle } from '../../../compiler/io/bundle/write-bundle.ts';
import { KEPT_ROOTS, type Bundle } from '../../../compiler/schema/bundle/bundle.ts';
import { compileRepository, testTrust } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { smallDeployment, unitFile } from '../../support/repository.ts';
import { readPublished } from '../published.ts';

const WRITER = fileURLToPath(new URL('../../../dist/compiler/io/bundle/write-bundle.js', import.meta.url));
const KILLED = fileURLToPath(new URL('killed.mjs', import.meta.url));
const trust = testTrust({ development: true });
const bundles: Bundle[] = [];
/** The folder with the first bundles, as many as are kept. */
let published: string;

beforeAll(async () => {
  const repo = smallDeployment();
  published = tempFolder();
  for (let n = 0; n <= KEPT_ROOTS; n++) {
    repo.write('instructions/agents/cto/wrap-up.md', unitFile('How to leave', [], '', `Text ${n}.`)).commit();
    const { bundle } = await compileRepository(repo.path, { trust });
    if (bundle) bundles.push(bundle);
    if (bundle && n < KEPT_ROOTS) writeBundle(published, bundle, null);
  }
}, 60_000);

const at = (n: number): Bundle => bundles.at(n) as Bundle;

/** A bundle in the form that killed.mjs reads. */
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

/** Kills a writer before each of its disk operations. @returns how many there are */
function killAtEach(from: string, bundle: Bundle, look: (folder: string) => void): number {
  const file = written(bundle);
  for (let n = 1; ; n++) {
    const folder = tempFolder();
    cpSync(from, folder, { recursive: true });
    const { signal, status, stderr } = spawnSync(process.execPath, [KILLED, file, folder, String(n)], {
      encoding: 'utf8',
    });
    expect([signal, status, stderr]).toEqual(signal === null ? [null, 0, ''] : ['SIGKILL', null, '']);
    look(folder);
    rmSync(folder, { recursive: true });
    if (signal === null) return n - 1;
  }
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
  const folder = tempFolder();
  cpSync(published, folder, { recursive: true });
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
