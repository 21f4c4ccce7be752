import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { keepObjects, storeBlob } from '../../../compiler/tasks/worktree/loose-objects.ts';
import { blobId } from '../../../compiler/trust/canonical.ts';
import { tempFolder } from '../../support/folder.ts';

test('a blob has the id that git gives it, by either hash', () => {
  expect(blobId(Buffer.alloc(0), 'sha1')).toBe('e69de29bb2d1d6434b8b29ae775ad8c2e48c5391');
  expect(blobId(Buffer.alloc(0), 'sha256')).toBe('473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813');
});

test('a blob is stored as git stores it, once, and nobody may write to it', () => {
  const objects = tempFolder();
  const bytes = Buffer.from('text\n');
  const id = storeBlob(objects, bytes, 'sha1');
  const path = join(objects, id.slice(0, 2), id.slice(2));
  expect([id, inflateSync(readFileSync(path)).toString('utf8')]).toEqual([blobId(bytes, 'sha1'), 'blob 5\0text\n']);
  expect(statSync(path).mode & 0o777).toBe(0o444);
  const before = statSync(path).ino;
  expect([storeBlob(objects, bytes, 'sha1'), statSync(path).ino]).toEqual([id, before]);
});

test('only objects are kept, those that are there stay as they are, and nothing half written is left', () => {
  const [from, to] = [tempFolder(), tempFolder()];
  const one = storeBlob(from, Buffer.from('one'), 'sha1');
  const two = storeBlob(from, Buffer.from('two'), 'sha256');
  const place = (root: string, id: string) => join(root, id.slice(0, 2), id.slice(2));
  const old = storeBlob(from, Buffer.from('old'), 'sha1');
  mkdirSync(join(to, old.slice(0, 2)));
  writeFileSync(place(to, old), 'as it was');
  for (const it of ['info', 'pack', one.slice(0, 2)]) mkdirSync(join(from, it), { recursive: true });
  for (const it of ['info/packs', 'pack/pack-1.idx', `${one.slice(0, 2)}/tmp_obj_x`])
    writeFileSync(join(from, it), 'x');
  keepObjects(from, to);
  for (const it of [one, two]) expect(readFileSync(place(to, it))).toEqual(readFileSync(place(from, it)));
  expect(readFileSync(place(to, old), 'utf8')).toBe('as it was');
  expect(statSync(place(to, one)).mode & 0o777).toBe(0o444);
  expect(readdirSync(to).sort()).toEqual([...new Set([one, two, old].map((it) => it.slice(0, 2)))].sort());
  expect([readdirSync(join(to, one.slice(0, 2))), existsSync(join(to, 'pack'))]).toEqual([[one.slice(2)], false]);
});
