import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const GETCAP = ['/usr/sbin/getcap', '/sbin/getcap', '/usr/bin/getcap'];
const MAX_OUTPUT = 64 * 1024 * 1024;

/**
 * The output of `getcap` of libcap: a line for each file with capabilities, its path first, one character a byte. Null
 * where it is not installed or fails: Node.js reads no extended attributes.
 */
export function capabilitiesBelow(folder: string): string | null {
  const program = GETCAP.find((it) => existsSync(it));
  if (program === undefined) return null;
  const options = { env: {}, maxBuffer: MAX_OUTPUT, timeout: 30_000, encoding: 'latin1' } as const;
  const { status, stdout } = spawnSync(program, ['-r', folder], options);
  return status === 0 ? stdout : null;
}
