import type * as Fs from 'node:fs';
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { writeBundle } from '../../../compiler/io/bundle/write-bundle.ts';
import { KEPT_ROOTS, type Bundle } from '../../../compiler/schema/bundle/bundle.ts';
import { testTrust } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { listing } from '../handbook.ts';
import { readPublished } from '../published.ts';
import { successiveBundles } from '../successive-bundles.ts';

type Call = keyof typeof CALLS;

/** Calls that the system refuses: from the call `first` on, `times` calls of `calls`. */
const system = vi.hoisted(() => ({
  code: '',
  calls: [] as readonly string[],
  first: Number.POSITIVE_INFINITY,
  times: 0,
  asked: 0,
}));

/** Every call of the system that the writer makes; `true` for what changes something. */
const CALLS = vi.hoisted(() => ({
  fsyncSync: true,
  linkSync: true,
  lstatSync: false,
  mkdirSync: true,
  openSync: false,
  readdirSync: false,
  readSync: false,
  renameSync: true,
  rmSync: true,
  statSync: false,
  truncateSync: true,
  writeSync: true,
}));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof Fs>();
  const refusing = (name: Call) => {
    // a disk that is asked thousands of times need not be waited for
    const real = (name === 'fsyncSync' ? () => undefined : fs[name]) as (...args: unknown[]) => unknown;
    return (...args: unknown[]): unknown => {
      const isAsked = system.calls.includes(name) || (system.calls.includes('openSync w') && isOpenedToWrite(name, args));
      if (isAsked && ++system.asked >= system.first && system.asked < system.first + system.times)
        throw Object.assign(new Error(`${system.code}: refused, ${name} '${String(args[0])}'`), { code: system.code });
      return real(...args);
    };
  };
  const isOpenedToWrite = (name: string, [, flags]: unknown[]) =>
    name === 'openSync' && typeof flags === 'string' && flags !== 'r';
  return { ...fs, ...Object.fromEntries((Object.keys(CALLS) as Call[]).map((name) => [name, refusing(name)])) };
});

/** Which calls end so, as the manual pages of the kernel say. */
const ENTRIES = ['linkSync', 'mkdirSync', 'renameSync', 'rmSync', 'truncateSync', 'openSync w'];
const REFUSALS = {
  EACCES: [...ENTRIES, 'openSync', 'readdirSync'],
  EROFS: ENTRIES,
  ENOSPC: ['fsyncSync', 'linkSync', 'mkdirSync', 'renameSync', 'writeSync', 'openSync w'],
  EMFILE: ['openSync', 'readdirSync'],
  EIO: Object.entries(CALLS).flatMap(([name, isChange]) => (isChange ? [name] : [])),
};

const trust = testTrust({ development: true });
/** As many bundles as are kept, one before them, whose manifest is kept, and the one that is to be written. */
let bundles: readonly Bundle[];
let published: string;

let place: string;

beforeAll(async () => {
  bundles = await successiveBundles(KEPT_ROOTS + 2, trust);
  place = tempFolder();
  published = join(place, 'published');
  for (const bundle of bundles.slice(0, -1)) writeBundle(published, bundle, null);
}, 60_000);

beforeEach(permit);

function permit(): void {
  system.first = Number.POSITIVE_INFINITY;
}

interface Faulted {
  readonly folder: string;
  /** How it ended; null where it was written in spite of all. */
  readonly error: unknown;
  /** Whether the writer asked for less than that, so that nothing was refused. */
  readonly isOver: boolean;
}

/** Writes the next bundle where the system refuses a call, or every call from there on. */
function write(code: string, calls: readonly string[], first: number, times: number): Faulted {
  const folder = join(place, 'written');
  rmSync(folder, { recursive: true, force: true });
  cpSync(published, folder, { recursive: true });
  Object.assign(system, { code, calls, first, times, asked: 0 });
  let error: unknown = null;
  try {
    writeBundle(folder, bundles.at(-1)!, null);
  } catch (thrown) {
    error = thrown;
  }
  permit();
  return { folder, error, isOver: system.asked < first };
}

const currentOf = (folder: string) => readFileSync(join(folder, 'current'), 'utf8').trim();

/** Reads every garden of the bundle that is current. @throws bundle_unverified */
function read(folder: string): string {
  const { bundle, root } = readPublished(folder, trust);
  for (const { garden } of root.gardens) bundle.readGarden(garden);
  return bundle.revision;
}

/** Holds what has to be so after any fault. @returns whether the old bundle is current still */
function holds({ folder, error }: Faulted, code: string): boolean {
  if (error !== null) {
    expect(error).toMatchObject({ name: 'VadeError', code: 'output_failed' });
    const { message } = error as Error;
    expect([message, message.includes(folder), message.includes(code)]).toEqual([message, true, true]);
  }
  const isOld = currentOf(folder) === bundles.at(-2)?.revision;
  expect(read(folder)).toBe(bundles.at(isOld ? -2 : -1)?.revision);
  if (isOld) expect(listing(folder)).toMatchObject(listing(published));
  // whoever has to go back finds where to
  const roots = bundles.slice(-KEPT_ROOTS).map((it) => it.revision);
  if (!isOld) expect(readdirSync(join(folder, 'roots'))).toEqual(expect.arrayContaining(roots));
  expect(listing(join(folder, 'superseded'))).toMatchObject(listing(join(published, 'superseded')));
  return isOld;
}

/** The next compile needs no help. */
function mends(folder: string): void {
  writeBundle(folder, bundles.at(-1)!, null);
  expect(read(folder)).toBe(bundles.at(-1)?.revision);
  expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
}

describe('DESIGN §8 a writer that the system refuses something', () => {
  test.each(['EMFILE', 'EIO'] as const)('once, by %s, leaves the old bundle or the new one current and whole, and nothing else', (code) => {
    const old = new Set<boolean>();
    let first = 1;
    for (; ; first++) {
      const faulted = write(code, REFUSALS[code], first, 1);
      if (faulted.isOver) break;
      const isOld = holds(faulted, code);
      old.add(isOld);
      if (faulted.error === null) expect(isOld).toBe(false);
      expect(readdirSync(faulted.folder).filter((name) => name.startsWith('.tmp-'))).toEqual([]);
    }
    expect(first).toBeGreaterThan(10);
    expect([...old].sort()).toEqual([false, true]);
  });

  test.each(['EACCES', 'EROFS', 'ENOSPC', 'EMFILE'] as const)(
    'from some call on, by %s, ends with output_failed and the folder’s name; the next one needs no help',
    (code) => {
      let first = 1;
      for (; ; first++) {
        const faulted = write(code, REFUSALS[code], first, Number.POSITIVE_INFINITY);
        if (faulted.isOver) break;
        holds(faulted, code);
        mends(faulted.folder);
      }
      expect(first).toBeGreaterThan(10);
    },
  );
});
