import type { StdioOptions } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { orNull } from '../../schema/or-null.ts';

const CLOSED_ON_EXEC = 0o2000000;

/**
 * Open files that every child would inherit: those with which this process was started, such as the lock of a script.
 * A folder among them leads out of every sandbox.
 */
export function inheritedFiles(): number[] {
  const open = (orNull(() => readdirSync('/proc/self/fdinfo')) ?? []).map(Number);
  return open.filter((it) => it > 2 && isInherited(it));
}

function isInherited(file: number): boolean {
  const text = orNull(() => readFileSync(`/proc/self/fdinfo/${file}`, 'utf8')) ?? '';
  const flags = /^flags:\s*([0-7]+)$/m.exec(text)?.[1];
  return flags !== undefined && (parseInt(flags, 8) & CLOSED_ON_EXEC) === 0;
}

/** Calls `work` with streams for a child that inherits nothing: three pipes, and `/dev/null` in each other file. */
export function withOwnFiles<T>(work: (streams: StdioOptions) => T): T {
  const inherited = inheritedFiles();
  const nothing = openSync('/dev/null', 'r+');
  try {
    const most = Math.max(2, ...inherited);
    // `ignore` leaves a file above 2 as it is
    const others = Array.from({ length: most - 2 }, (_, at) => (inherited.includes(at + 3) ? nothing : 'ignore'));
    return work(['pipe', 'pipe', 'pipe', ...others]);
  } finally {
    closeSync(nothing);
  }
}
