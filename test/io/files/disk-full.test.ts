import type * as Fs from 'node:fs';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { writeBundle } from '../../../compiler/io/bundle/write-bundle.ts';
import { compileRepository, testTrust } from '../../support/compiled.ts';
import { unitFile } from '../../support/repository.ts';
import { handbook, listing } from '../handbook.ts';
import { publish, readPublished } from '../published.ts';

/** How many more writes succeed. */
const disk = vi.hoisted(() => ({ left: Number.POSITIVE_INFINITY, writes: 0 }));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof Fs>();
  const limited =
    <A extends unknown[], R>(write: (...args: A) => R) =>
    (...args: A): R => {
      disk.writes += 1;
      if (disk.writes > disk.left)
        throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      return write(...args);
    };
  return {
    ...fs,
    writeFileSync: limited(fs.writeFileSync),
    writeSync: limited(fs.writeSync),
    mkdirSync: limited(fs.mkdirSync),
    fsyncSync: limited(fs.fsyncSync),
    renameSync: limited(fs.renameSync),
    cpSync: limited(fs.cpSync),
    linkSync: limited(fs.linkSync),
  };
});

beforeEach(() => {
  disk.left = Number.POSITIVE_INFINITY;
});

describe('DESIGN §8 a full disk', () => {
  test('a full disk at any write is output_failed, the old bundle stays intact, and the next run succeeds', async () => {
    const trust = testTrust({ development: true });
    const repo = handbook();
    const old = await publish(repo.path, { trust });
    const before = listing(old.folder);
    repo.write('instructions/agents/cto/wrap-up.md', unitFile('How to leave', [], '', 'Tell them.')).commit();
    const { bundle } = await compileRepository(repo.path, { trust });

    let writes = 0;
    for (; writes < 1000; writes++) {
      Object.assign(disk, { left: writes, writes: 0 });
      try {
        writeBundle(old.folder, bundle!, null);
        break;
      } catch (error) {
        expect(error).toMatchObject({ code: 'output_failed' });
      } finally {
        disk.left = Number.POSITIVE_INFINITY;
      }
      expect(readFileSync(join(old.folder, 'current'), 'utf8')).toBe(`${old.bundle.revision}\n`);
      expect(listing(old.folder)).toMatchObject(before);
      expect(readdirSync(old.folder).filter((name) => name.startsWith('.'))).toEqual([]);
    }
    expect(writes).toBeGreaterThan(10);
    expect(readPublished(old.folder, trust).versions('wrap-up')).toHaveLength(2);
  });
});
