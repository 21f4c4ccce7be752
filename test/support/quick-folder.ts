import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
/** Space for a run of all tests, which takes a tenth of it at most. */
const ENOUGH_BYTES = 4 * 2 ** 30;

/** Folder of the tests' temporary files: in memory where there is enough of it, since most of them wait for a disk. */
export function quickFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ENOUGH_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
