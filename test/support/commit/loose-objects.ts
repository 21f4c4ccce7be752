import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';

/** Writes an object as git does, in a file of its own. Answers its id. */
export function writeObject(git: string, kind: 'blob' | 'tree' | 'commit', content: Buffer): string {
  const whole = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content]);
  const id = createHash('sha1').update(whole).digest('hex');
  const folder = join(git, 'objects', id.slice(0, 2));
  const file = join(folder, id.slice(2));
  if (existsSync(file)) return id;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, deflateSync(whole, { level: 1 }), { mode: 0o444 });
  return id;
}

/** A file of a commit: its path, as git sorts and writes it. */
export interface TreeFile {
  readonly path: string;
  readonly mode: '100644' | '100755' | '120000';
  readonly blob: string;
}

interface TreeEntry {
  readonly name: Buffer;
  readonly mode: string;
  readonly id: string;
}

/** Writes the tree of these files, and those of their folders. Answers its id. */
export function writeTree(git: string, files: readonly TreeFile[]): string {
  const entries: TreeEntry[] = [];
  const folders = new Map<string, TreeFile[]>();
  for (const { path, mode, blob } of files) {
    const [first = '', ...rest] = path.split('/');
    if (rest.length === 0) entries.push({ name: Buffer.from(first), mode, id: blob });
    else folders.set(first, [...(folders.get(first) ?? []), { path: rest.join('/'), mode, blob }]);
  }
  for (const [name, inside] of folders)
    entries.push({ name: Buffer.from(name), mode: '40000', id: writeTree(git, inside) });
  return writeObject(git, 'tree', Buffer.concat(entries.sort(inOrder).map(bytesOf)));
}

function bytesOf({ name, mode, id }: TreeEntry): Buffer {
  return Buffer.concat([Buffer.from(`${mode} `), name, Buffer.from([0]), Buffer.from(id, 'hex')]);
}

/** Git sorts a folder as if its name ended with a slash. */
function inOrder(a: TreeEntry, b: TreeEntry): number {
  const key = ({ name, mode }: TreeEntry) => (mode === '40000' ? Buffer.concat([name, Buffer.from('/')]) : name);
  return Buffer.compare(key(a), key(b));
}
