import { resolve } from 'node:path';
import { readInside, writeInside } from '../../io/files/inside-folder.ts';
import { VadeError } from '../../schema/errors.ts';
import type { World } from '../../world/world.ts';

/** A unit file as it was read, and as it becomes. */
export interface Rewording {
  /** Relative to the folder that contains the sources. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Writes suggested words into unit files, once each of them is known to be as it was read.
 *
 * @param repo folder that contains the sources
 * @throws output_failed; sources_invalid if a file has another text, or ends of lines that would be changed too
 */
export function writeWords(rewordings: readonly Rewording[], repo: string, world: World): void {
  const folder = resolve(world.cwd, repo);
  const read = rewordings.map((it) => ({ ...it, bytes: readInside(folder, it.file) }));
  const other = read.find(({ bytes, before }) => bytes?.equals(Buffer.from(before)) !== true);
  if (other !== undefined) {
    const message = `${other.file} changed after it was read, or its line endings are not LF`;
    throw new VadeError('sources_invalid', message, { suggestion: 'run vade lint --fix, then this command again' });
  }
  for (const { file, bytes, after } of read) writeInside(folder, file, bytes, Buffer.from(after));
}
