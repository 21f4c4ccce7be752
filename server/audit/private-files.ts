import { chmodSync, statSync } from 'node:fs';
import type { Logger } from 'pino';
import { messageOf } from '../../compiler/schema/errors.ts';
import { anchorPath } from './chain/anchor.ts';
import { isPostgresUrl } from './postgres/url.ts';

/** The permission bits of others. */
const OTHERS = 0o007;

/**
 * Removes the permissions of others on keys and intents, in case a copy or a restored backup left them open. Group
 * permissions stay, because a backup group may need them. A file that cannot be changed, such as a mounted secret, is
 * reported.
 */
export function keepPrivate({ audit, state }: { audit: string; state: string }, log: Logger): void {
  const keys = [`${state}.key`, `${state}.checkpoint.pem`, anchorPath(state), `${state}.spool`];
  const rows = isPostgresUrl(audit) ? [] : ['', '-wal', '-shm'].map((end) => `${audit}${end}`);
  for (const path of [...keys, ...rows]) close(path, log);
}

function close(path: string, log: Logger): void {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat || (stat.mode & OTHERS) === 0) return;
    chmodSync(path, stat.mode & 0o777 & ~OTHERS);
    log.warn(
      { file: path, mode: octal(stat.mode) },
      'others could read this file until now; consider rotating the keys',
    );
  } catch (error) {
    log.warn(
      { file: path, reason: messageOf(error) },
      'others can read this file, and its permissions cannot be changed',
    );
  }
}

const octal = (mode: number) => (mode & 0o777).toString(8);
