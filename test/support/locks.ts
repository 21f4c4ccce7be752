import { readFileSync, statSync } from 'node:fs';

/** Locks that a process holds on a file, by the kernel's list. */
export function locksOn(path: string, pid = process.pid): number {
  const inode = statSync(path).ino;
  // 1: POSIX  ADVISORY  READ 4711 08:01:131 1073741826 1073742335
  const lines = readFileSync('/proc/locks', 'utf8').split('\n');
  return lines.filter((it) => it.includes(` ${pid} `) && it.includes(`:${inode} `)).length;
}
