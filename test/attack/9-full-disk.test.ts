import type * as fs from 'node:fs';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { anchorPath, openAnchor } from '../../server/audit/chain/anchor.ts';

/** Bytes that the disk has left; null for enough. */
let left: number | null = null;

vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>();
  const writeSync = (file: number, data: string | Buffer, from = 0) => {
    const bytes = Buffer.from(data);
    const wanted = bytes.length - from;
    const room = Math.min(left ?? wanted, wanted);
    if (room === 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    if (left !== null) left -= room;
    return real.writeSync(file, bytes, from, room);
  };
  return { ...real, default: { ...real, writeSync }, writeSync };
});

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vade-anchor-'));
});

afterEach(() => {
  left = null;
  rmSync(folder, { recursive: true, force: true });
});

test('a disk that is full during a write leaves the anchor as it was, and the next line complete', () => {
  const anchor = openAnchor(join(folder, 'audit.db'));
  anchor.keep({ envelope: '{"first":1}' });
  left = 5;
  expect(() => {
    anchor.keep({ envelope: '{"second":2}' });
  }).toThrow('no space left');
  left = null;
  anchor.keep({ envelope: '{"third":3}' });
  const kept = readFileSync(anchorPath(join(folder, 'audit.db')), 'utf8');
  expect(kept).toBe('{"first":1}\n{"third":3}\n');
});
