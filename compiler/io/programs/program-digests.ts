import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { orNull } from '../../schema/or-null.ts';
import { gitProgram } from '../git/git-process.ts';
import { gateProgram, vadeProgram } from './gate-file.ts';

/** A larger file is no program of ours. */
const MAX_BYTES = 1024 * 1024 * 1024;
const CHUNK = 1024 * 1024;

/** Real path and digest of the programs that judge an agent, by name. @param avoid a repository, where none is run */
export function programDigests(avoid: string): Record<string, string> {
  return {
    'program git': orNull(() => programAt(gitProgram(avoid))) ?? 'missing',
    'program node': programAt(process.execPath),
    'program vade': orNull(() => vadeAt(dirname(dirname(dirname(vadeProgram()))))) ?? 'missing',
    ...orNull(() => gateDigest(gateProgram().gate)),
  };
}

/** The digest of a gate's file, by its place. */
export function gateDigest(gate: string): Record<string, string> {
  return { [`gate ${gate}`]: orNull(() => digestOf(realpathSync(gate))) ?? 'missing' };
}

function programAt(path: string): string {
  const real = realpathSync(path);
  return `${path === real ? real : `${path} → ${real}`} sha256 ${digestOf(real)}`;
}

/** All code of vade as it was built; packages that it uses are not part of it. */
function vadeAt(folder: string): string {
  const sum = createHash('sha256');
  // without the types of the entries, Node asks for that of each one
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((it) => /\.[cm]?js$/.test(it.name)).map((it) => join(it.parentPath, it.name));
  for (const path of paths.sort()) sum.update(`${path.slice(folder.length + 1)}\0${digestOf(path)}\n`);
  return `${folder} sha256 ${sum.digest('hex')}`;
}

/** Nobody but the system's administrator alters a file and leaves all of this as it was. */
const known = new Map<string, string>();
type Unaltered = Record<'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs', bigint>;
const keyOf = (it: Unaltered) => [it.dev, it.ino, it.size, it.mtimeNs, it.ctimeNs].join(' ');

function digestOf(path: string): string {
  const before = known.get(keyOf(statSync(path, { bigint: true })));
  if (before !== undefined) return before;
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file, { bigint: true });
    if (!stat.isFile() || stat.size > MAX_BYTES) throw new TypeError(`${path} is not a program`);
    const digest = hashOf(file);
    known.set(keyOf(stat), digest);
    return digest;
  } finally {
    closeSync(file);
  }
}

function hashOf(file: number): string {
  const sum = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK);
  for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) sum.update(chunk.subarray(0, read));
  return sum.digest('hex');
}
