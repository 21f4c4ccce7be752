import { join } from 'node:path';
import { MAX_ENVELOPE_BYTES } from '../../schema/bundle/bundle.ts';
import { VadeError } from '../../schema/errors.ts';
import { replaceFile } from '../files/durable.ts';
import { CURRENT, currentRevision } from './open-bundle.ts';
import { readSidecar, ROLLBACK } from './sidecar-files.ts';
import { lock } from './write-bundle.ts';

/**
 * Changes a sidecar file of a bundle under the bundle's write lock. The change is atomic: a running server reads the
 * old file or the new one.
 *
 * @throws file_locked, output_failed
 */
export function changeSidecar(folder: string, name: string, change: (before: Buffer | null) => Buffer): void {
  const unlock = lock(folder);
  try {
    replaceFile(join(folder, name), change(readSidecar(folder, name)), { limit: MAX_ENVELOPE_BYTES });
  } finally {
    unlock();
  }
}

/** A change of the current root. */
export interface Return {
  /** The revision that `current` is expected to name. */
  readonly from: string;
  readonly to: string;
  /** New content of `rollback.dsse.json`; null to keep the file. */
  readonly permission: Buffer | null;
}

/**
 * Makes a kept root the current one. The permission is written first: if the process ends in between, the current root
 * needs no permission, and a retry continues.
 *
 * @throws file_locked, output_failed
 */
export function returnTo(folder: string, { from, to, permission }: Return): void {
  const unlock = lock(folder);
  try {
    if (currentRevision(folder) !== from)
      throw new VadeError('file_locked', `another process changed ${folder} at the same time`);
    if (permission !== null) replaceFile(join(folder, ROLLBACK), permission);
    if (from !== to) replaceFile(join(folder, CURRENT), `${to}\n`);
  } finally {
    unlock();
  }
}
