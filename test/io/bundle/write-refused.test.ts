import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, closeSync, cpSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writeBundle } from '../../../compiler/io/bundle/write-bundle.ts';
import { KEPT_ROOTS, type Bundle } from '../../../compiler/schema/bundle/bundle.ts';
import { testTrust } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { describeWhere } from '../../support/loudly.ts';
import type { Repository } from '../../support/repository.ts';
import { asNobody, NOBODY } from '../../support/unprivileged.ts';
import { listing } from '../handbook.ts';
import { readPublished } from '../published.ts';
import { successiveBundles } from '../successive-bundles.ts';

const MAIN = fileURLToPath(new URL('../../../dist/compiler/cli/main.js', import.meta.url));
const trust = testTrust({ development: true });
/** As many bundles as are kept, and the next. */
let bundles: readonly Bundle[];
let repo: Repository;
let published: string;
/** A copy of what is published, for one test. */
let folder: string;

beforeAll(async () => {
  ({ repo, bundles } = await successiveBundles(KEPT_ROOTS + 1, trust));
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

const limit = (soft: number) => {
  execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${soft}:`]);
};

function hasLimits(): boolean {
  return spawnSync('prlimit', ['--version']).status === 0;
}

describeWhere(hasLimits(), 'a writer without file descriptors', 'there is no prlimit')(
  'DESIGN §8 a writer that can open no more files',
  () => {
    /** Error that ends the writer while so many descriptors are left. */
    function refusalWith(left: number): Error | null {
      const held: number[] = [];
      const before = /Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
      limit(readdirSync('/proc/self/fd').length + 64);
      try {
        for (;;) held.push(openSync('/dev/null', 'r'));
      } catch {
        for (const it of held.splice(0, left)) closeSync(it);
        return refusalOf();
      } finally {
        for (const it of held) closeSync(it);
        limit(Number(before));
      }
    }

    test('ends with output_failed, however many it can still open, and leaves the old bundle and every older root', () => {
      let left = 0;
      for (let error = refusalWith(left); error !== null; error = refusalWith(++left)) holdsOld(error);
      expect(left).toBeGreaterThan(0);
      const kept = bundles.slice(-KEPT_ROOTS).map((it) => it.revision);
      expect(readdirSync(join(folder, 'roots')).sort()).toEqual(kept.sort());
      mends();
    });
  },
);

/** Whether a file system can be mounted read-only for one process. */
function canMount(): boolean {
  return isRoot && spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;
}

describeWhere(canMount() || !isRoot, 'a read-only file system', 'mount namespaces need root')(
  'DESIGN §8 a bundle on a file system that is read-only',
  () => {
    const READ_ONLY = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"';

    test.runIf(canMount())('vade compile ends with 1, OUTPUT_FAILED and the folder’s name, and the old bundle stays', () => {
      const compile = ['compile', '--dev', '--out', folder, '--format', 'json'];
      const command = ['-c', READ_ONLY, 'sh', folder, process.execPath, MAIN, ...compile];
      const options = { cwd: repo.path, env: { PATH: process.env['PATH'] }, encoding: 'utf8' as const };
      const { status, stdout } = spawnSync('unshare', ['--mount', 'sh', ...command], options);
      const { error } = JSON.parse(stdout) as { error: { code: string; context: unknown } | null };
      expect([status, error?.code]).toEqual([1, 'OUTPUT_FAILED']);
      expect(stdout).toContain(folder);
      expect(listing(folder)).toEqual(listing(published));
      mends();
    });
  },
);
