import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile, syncFolder } from '../../../compiler/io/files/durable.ts';
import { readIfThere } from '../../../compiler/io/files/file.ts';
import { BRANCH } from './commit-stream.ts';

/** Folder of the repository of one owner. */
export interface StorePlace {
  /** The bare repository. */
  readonly folder: string;
  /** The folder of all owners, from which no program is run. */
  readonly avoid: string;
}

/**
 * The whole configuration. It is written again at every opening, so that none that a backup or another person left
 * there can name a program to run. Files are for their owner alone.
 */
const CONFIG = `[core]
	repositoryFormatVersion = 0
	bare = true
	sharedRepository = 0600
	hooksPath = /dev/null
	attributesFile = /dev/null
	fsmonitor = false
	logAllRefUpdates = false
	fsync = all
[gc]
	auto = 0
[protocol]
	allow = never
`;

/** Creates what is missing of a bare repository. @throws output_failed, Error */
export function ensureRepository(folder: string): void {
  for (const name of ['objects/pack', 'objects/info', 'refs/heads']) {
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  }
  const files = { HEAD: `ref: ${BRANCH}\n`, config: CONFIG };
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) replaceFile(path, text, { mode: 0o600 });
  }
  syncFolder(join(folder, '..'));
}

const REF_BYTES = 1024;
const PACKED_BYTES = 16 * 1024 * 1024;

/** The commit that the branch names; null without any. @throws Error if it cannot be read */
export function readTip(folder: string): string | null {
  const loose = readIfThere(join(folder, BRANCH), REF_BYTES, 'refuse')?.toString('utf8').trim();
  if (loose !== undefined) return loose === '' ? null : loose;
  const packed = readIfThere(join(folder, 'packed-refs'), PACKED_BYTES, 'refuse')?.toString('utf8') ?? '';
  const line = packed.split('\n').find((it) => it.endsWith(` ${BRANCH}`));
  return line?.slice(0, line.indexOf(' ')) ?? null;
}
