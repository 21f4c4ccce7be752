import { createHash } from 'node:crypto';
import { lstatSync, writeFileSync, type BigIntStats } from 'node:fs';
import { join } from 'node:path';
import type { TreeFile } from './loose-objects.ts';

const NANOSECONDS = 1_000_000_000n;
/** Of an entry: its numbers and its id, before its flags and its name. */
const NUMBERS = 40;
const FLAGS = 60;
const NAME = 62;
const MODES = [0o100644, 0o100755, 0o120000];
/** Parts that git could find out again from the rest. */
const CACHES = ['EOIE', 'IEOT', 'TREE'];
const DIGEST = 20;

/** Whether an index has no more of its files than names: no stage of a merge, no submodule, no flag of a user. */
export function isPlainIndex(index: Buffer): boolean {
  if (index.toString('latin1', 0, 4) !== 'DIRC' || index.readUInt32BE(4) !== 2) return false;
  let at = 12;
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const flags = index.readUInt16BE(at + FLAGS);
    // a name of this length or more ends where the first zero is
    const length = (flags & 0xfff) === 0xfff ? index.indexOf(0, at + NAME) - at - NAME : flags & 0xfff;
    if (flags > 0xfff || !MODES.includes(index.readUInt32BE(at + 24))) return false;
    at += sizeOf(length);
  }
  for (; at < index.length - DIGEST; at += 8 + index.readUInt32BE(at + 4))
    if (!CACHES.includes(index.toString('latin1', at, at + 4))) return false;
  return true;
}

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

/** The name ends with zeros up to a multiple of eight bytes, one at least. */
const sizeOf = (name: number) => (NAME + name + 8) & ~7;

function entryOf({ name, mode, blob }: TreeFile & { readonly name: Buffer }, stat: BigIntStats): Buffer {
  const entry = Buffer.alloc(sizeOf(name.length));
  const times = [stat.ctimeNs, stat.mtimeNs].flatMap((it) => [it / NANOSECONDS, it % NANOSECONDS]);
  const numbers = [...times, stat.dev, stat.ino, BigInt(parseInt(mode, 8)), stat.uid, stat.gid, stat.size];
  numbers.forEach((it, at) => entry.writeUInt32BE(Number(BigInt.asUintN(32, it)), at * 4));
  entry.write(blob, NUMBERS, 'hex');
  entry.writeUInt16BE(Math.min(name.length, 0xfff), FLAGS);
  name.copy(entry, NAME);
  return entry;
}
