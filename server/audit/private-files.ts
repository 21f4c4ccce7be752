import { chmodSync, statSync } from 'node:fs';
import type { Logger } from 'pino';
import { messageOf } from '../../compiler/schema/errors.ts';
import { anchorPath } from './chain/anchor.ts';
import { isPostgresUrl } from './postgres/url.ts';

/** What anybody on the machine may do with a file who is neither its owner nor of its group. */
const OTHERS = 0o007;

/**
 * Takes keys and intents beside an audit away from everybody else, where a copy or a restored backup left them open. A
 * group may be meant, such as the one that makes backups. What is not ours to change, such as a secret that is mounted, is told.
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
    log.warn({ file: path, mode: octal(stat.mode) }, 'others could read this file until now; think of new keys');
  } catch (error) {
    log.warn(
      { file: path, reason: messageOf(error) },
      'others may read this file, and that cannot be changed from here',
    );
  }
}

const octal = (mode: number) => (mode & 0o777).toString(8);
