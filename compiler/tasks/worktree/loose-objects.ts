import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { blobId } from '../../trust/canonical.ts';

/**
 * Stores a blob as git stores a single object, and answers its id. The bytes that are hashed are the bytes that are
 * kept: no other program reads the file again, which may be another one by then.
 */
export function storeBlob(objects: string, bytes: Buffer, hash: string): string {
  const id = blobId(bytes, hash);
  const folder = join(objects, id.slice(0, 2));
  const path = join(folder, id.slice(2));
  if (existsSync(path)) return id;
  mkdirSync(folder, { recursive: true });
  const whole = Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]);
  writeFileSync(path, deflateSync(whole, { level: 1 }), { mode: 0o444 });
  return id;
}

const FOLDER = /^[0-9a-f]{2}$/;
const OBJECT = /^(?:[0-9a-f]{38}|[0-9a-f]{62})$/;

/** As git names the objects that it has not finished: its own garbage collection removes those of killed processes. */
const UNFINISHED = 'tmp_obj_';

/** Copies the single objects of one folder of objects into another, each whole or not at all. */
export function keepObjects(from: string, to: string): void {
  for (const folder of readdirSync(from).filter((it) => FOLDER.test(it))) {
    for (const name of readdirSync(join(from, folder)).filter((it) => OBJECT.test(it))) {
      const place = join(to, folder, name);
      if (existsSync(place)) continue;
      mkdirSync(join(to, folder), { recursive: true });
      const scratch = join(to, folder, `${UNFINISHED}${randomBytes(6).toString('hex')}`);
      try {
        writeFileSync(scratch, readFileSync(join(from, folder, name)), { mode: 0o444, flag: 'wx' });
        renameSync(scratch, place);
      } finally {
        rmSync(scratch, { force: true });
      }
    }
  }
}
