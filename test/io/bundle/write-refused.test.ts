import { chmodSync, chownSync, cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writeBundle } from '../../../compiler/io/bundle/write-bundle.ts';
import { KEPT_ROOTS, type Bundle } from '../../../compiler/schema/bundle/bundle.ts';
import { testTrust } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { asNobody, NOBODY } from '../../support/unprivileged.ts';
import { listing } from '../handbook.ts';
import { readPublished } from '../published.ts';
import { successiveBundles } from '../successive-bundles.ts';

const trust = testTrust({ development: true });
/** As many bundles as are kept, and the next. */
let bundles: readonly Bundle[];
let published: string;
/** A copy of what is published, for one test. */
let folder: string;

beforeAll(async () => {
  bundles = await successiveBundles(KEPT_ROOTS + 1, trust);
  published = tempFolder();
  for (const bundle of bundles.slice(0, -1)) writeBundle(published, bundle, null);
}, 60_000);

beforeEach(() => {
  folder = tempFolder();
  cpSync(published, folder, { recursive: true });
});

function next(): void {
  writeBundle(folder, bundles.at(-1)!, null);
}

/** The error of the next bundle's writer; null where it is written. */
function refusalOf(): Error | null {
  try {
    next();
    return null;
  } catch (error) {
    return error as Error;
  }
}

function holdsOld(error: Error | null): void {
  expect(error).toMatchObject({ name: 'VadeError', code: 'output_failed' });
  expect(error?.message).toContain(folder);
  expect(readFileSync(join(folder, 'current'), 'utf8')).toBe(`${bundles.at(-2)!.revision}\n`);
  expect(listing(folder)).toMatchObject(listing(published));
  expect(readdirSync(folder).filter((name) => name.startsWith('.tmp-'))).toEqual([]);
}

/** The next bundle is written once the system permits it, and can be read. */
function mends(): void {
  next();
  expect(readPublished(folder, trust).bundle.revision).toBe(bundles.at(-1)!.revision);
  expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
}

const isRoot = process.getuid?.() === 0;

/** Gives a folder to the user as whom `asNobody` runs, but for one folder below, which nobody may change. */
function guard(below: string, mode: number): void {
  const names = ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })];
  if (isRoot) for (const name of names) chownSync(join(folder, name), NOBODY, NOBODY);
  if (isRoot) chownSync(join(folder, below), 0, 0);
  chmodSync(join(folder, below), mode);
}

describe('DESIGN §8 a writer that may not change the folder of the bundle', () => {
  test.each([
    ['the folder itself is not its own', '.', 0o555],
    ['the gardens of an agent are not its own', 'gardens/cto', 0o555],
    ['the roots are not its own', 'roots', 0o555],
    ['the roots cannot even be listed', 'roots', 0o000],
  ])('ends with output_failed where %s, and leaves the old bundle whole', (_, below, mode) => {
    guard(below, mode);
    const error = asNobody(refusalOf);
    chmodSync(join(folder, below), 0o755);
    holdsOld(error);
    mends();
  });
});
