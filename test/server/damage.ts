import { closeSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the only version of a garden in a new bundle. */
export function onlyVersion(bundle: string, garden: string): string {
  const place = join(bundle, 'gardens', garden);
  const [digest = ''] = readdirSync(place);
  return join(place, digest);
}

/** Flips one bit in the middle of a file of a garden. */
export function flipByte(bundle: string, garden: string, file: string): void {
  const path = join(onlyVersion(bundle, garden), file);
  const bytes = readFileSync(path);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

/** Overwrites all pages of a database after its first, as a failing disk may. */
export function damagePages(path: string): void {
  const bytes = readFileSync(path);
  bytes.fill(0x5a, 4096);
  const file = openSync(path, 'r+');
  writeSync(file, bytes);
  closeSync(file);
}
