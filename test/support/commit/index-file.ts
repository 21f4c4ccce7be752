import { createHash } from 'node:crypto';
import { lstatSync, writeFileSync, type BigIntStats } from 'node:fs';
import { join } from 'node:path';
import type { TreeFile } from './loose-objects.ts';

const NANOSECONDS = 1_000_000_000n;

/** Writes the index of a working tree that is as its commit: `git status` says that it is clean. */
export function writeIndex(path: string, files: readonly TreeFile[]): void {
  const entries = files
    .map((file) => ({ ...file, name: Buffer.from(file.path) }))
    .sort((a, b) => Buffer.compare(a.name, b.name))
    .map((file) => entryOf(file, lstatSync(join(path, file.path), { bigint: true })));
  const head = Buffer.alloc(12);
  head.write('DIRC');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(entries.length, 8);
  const content = Buffer.concat([head, ...entries]);
  const digest = createHash('sha1').update(content).digest();
  writeFileSync(join(path, '.git/index'), Buffer.concat([content, digest]));
}

/** An entry of version 2: 62 bytes, the name, and zeros up to a multiple of eight bytes, one at least. */
function entryOf({ name, mode, blob }: TreeFile & { readonly name: Buffer }, stat: BigIntStats): Buffer {
  const entry = Buffer.alloc((62 + name.length + 8) & ~7);
  const times = [stat.ctimeNs, stat.mtimeNs].flatMap((it) => [it / NANOSECONDS, it % NANOSECONDS]);
  const numbers = [...times, stat.dev, stat.ino, BigInt(parseInt(mode, 8)), stat.uid, stat.gid, stat.size];
  numbers.forEach((it, at) => entry.writeUInt32BE(Number(BigInt.asUintN(32, it)), at * 4));
  entry.write(blob, 40, 'hex');
  entry.writeUInt16BE(Math.min(name.length, 0xfff), 60);
  name.copy(entry, 62);
  return entry;
}
