import { join } from 'node:path';
import { VadeError } from '../../schema/errors.ts';
import { replaceFile } from '../files/durable.ts';
import { CURRENT, currentRevision } from './open-bundle.ts';
import { readSidecar, ROLLBACK } from './sidecar-files.ts';
import { lock } from './write-bundle.ts';

/**
 * Changes a file beside a bundle: one writer at a time, compiles included, and a running server sees the old file or
 * the new one, never half of it.
 *
 * @throws file_locked, output_failed
 */
export function changeSidecar(folder: string, name: string, change: (before: Buffer | null) => Buffer): void {
  const unlock = lock(folder);
  try {
    replaceFile(join(folder, name), change(readSidecar(folder, name)));
  } finally {
    unlock();
  }
}

/** Another root to make current. */
export interface Return {
  /** What `current` says, as far as is known. */
  readonly from: string;
  readonly to: string;
  /** What `rollback.dsse.json` is to be; null where it is that already. */
  readonly permission: Buffer | null;
}

/**
 * Makes a kept root the current one. The permission comes first: should it end in between, the root that stayed needs
 * none, and the next try goes on from there.
 *
 * @throws file_locked, output_failed
 */
export function returnTo(folder: string, { from, to, permission }: Return): void {
  const unlock = lock(folder);
  try {
    if (currentRevision(folder) !== from)
      throw new VadeError('file_locked', `another process wrote ${folder} meanwhile`);
    if (permission !== null) replaceFile(join(folder, ROLLBACK), permission);
    if (from !== to) replaceFile(join(folder, CURRENT), `${to}\n`);
  } finally {
    unlock();
  }
}
