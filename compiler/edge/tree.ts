import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { VadeError } from '../model/errors.ts';

/** Every regular file below a folder, by path with `/`; anything else there is a refusal. */
export function readTree(folder: string, limit: number, prefix = ''): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (const entry of listFolder(join(folder, prefix))) {
    const path = `${prefix}${entry.name}`;
    if (entry.isDirectory()) for (const [name, bytes] of readTree(folder, limit, `${path}/`)) files.set(name, bytes);
    else if (entry.isFile()) files.set(path, readCapped(join(folder, path), limit));
    else throw refuse(`${path} is not a file`);
  }
  return files;
}

function listFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    throw refuse(`${folder} cannot be read`);
  }
}

/** Untrusted input: the size is asked before the bytes are. */
export function readCapped(path: string, limit: number): Buffer {
  try {
    if (statSync(path).size <= limit) return readFileSync(path);
  } catch {
    throw refuse(`${path} cannot be read`);
  }
  throw refuse(`${path} is larger than anything that is read`);
}

/** What is said of anything in a bundle that is not as it was signed. */
export function refuse(message: string): VadeError {
  return new VadeError('bundle_unverified', message);
}
