import { statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { orNull } from '../../compiler/schema/or-null.ts';

/** Free bytes of the disk that has the state files, for this user; NaN if the system does not say. */
export function freeSpaceOf(state: string): number {
  const disk = orNull(() => statfsSync(dirname(resolve(state))));
  return disk === null ? NaN : disk.bavail * disk.bsize;
}
