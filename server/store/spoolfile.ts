import { closeSync, ftruncateSync, openSync, readFileSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { z } from 'zod';
import type { NewEntry } from './auditstore.ts';

/** A line of the spool; the file may have been cut off, or written by anybody. */
const Line = z.strictObject({
  type: z.enum(['recall', 'closing']),
  id: z.string(),
  agent_id: z.string(),
  audit_token: z.string(),
  created_at: z.int(),
  body: z.string(),
  intent: z.strictObject({ salt: z.string(), text: z.string() }).nullable(),
});

/** One file of the spool. */
export interface SpoolFile {
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  /** When its first row was written, in milliseconds since 1970. */
  readonly since: number;
}

/** A file that rows are added to. */
export interface GrowingFile extends SpoolFile {
  /** Adds one line in one write. @throws Error after which nothing more may be added */
  readonly add: (line: Buffer) => void;
  /** Takes away all that is in it. */
  readonly empty: () => void;
  /** Whether there is anything left of it afterwards. */
  readonly close: () => boolean;
}

/** Begins a file, for its owner alone. @throws Error where it cannot be made, or is there */
export function beginFile(path: string, now: () => number): GrowingFile {
  const fd = openSync(path, 'ax', 0o600);
  const count = { rows: 0, bytes: 0 };
  let since = 0;
  return {
    path,
    get since() {
      return since;
    },
    get rows() {
      return count.rows;
    },
    get bytes() {
      return count.bytes;
    },
    add: (line) => {
      if (count.bytes === 0) since = now();
      const written = writeSync(fd, line);
      count.bytes += written;
      if (written !== line.length) throw new Error(`${written} of ${line.length} bytes were written`);
      count.rows += 1;
    },
    empty: () => {
      ftruncateSync(fd, 0);
      Object.assign(count, { rows: 0, bytes: 0 });
    },
    close: () => {
      closeSync(fd);
      if (count.bytes === 0) unlinkSync(path);
      return count.bytes > 0;
    },
  };
}

/** A file that an ended process left; its rows are counted, not yet read. */
export function leftFile(path: string): SpoolFile {
  const bytes = readFileSync(path);
  let rows = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) rows += 1;
  return { path, rows, bytes: bytes.length, since: Math.trunc(statSync(path).birthtimeMs) };
}

/** The rows of a file, and how many lines are none: what a crash or a full disk cut off was never acknowledged. */
export function readRows(path: string): { readonly rows: readonly NewEntry[]; readonly torn: number } {
  const lines = readFileSync(path, 'utf8').split('\n');
  const cutOff = lines.pop() === '' ? 0 : 1;
  const rows = lines.map(parsed).filter((it) => it !== undefined);
  return { rows, torn: cutOff + lines.length - rows.length };
}

function parsed(line: string): NewEntry | undefined {
  try {
    return Line.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** A row as a line. */
export function lineOf(entry: NewEntry): Buffer {
  return Buffer.from(`${JSON.stringify(entry)}\n`);
}
