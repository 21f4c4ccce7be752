import { closeSync, ftruncateSync, openSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { readRegular } from '../../../compiler/io/files/file.ts';
import type { NewEntry } from '../records/store.ts';

/** A line of the spool: what the chain covers, as it is, and the intent. It may have been written by anybody. */
const Line = z.strictObject({
  body: z.looseObject({
    type: z.enum(['recall', 'closing']),
    id: z.string(),
    agent_id: z.string(),
    audit_token: z.string(),
    created_at: z.int(),
  }),
  intent: z.strictObject({ salt: z.string(), text: z.string() }).nullable(),
});

/** Far above what one file of a spool comes to. */
const MAX_SPOOL_FILE_BYTES = 256 * 1024 * 1024;

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
  /** Adds so many lines in one write: all, or none. @throws Error after which nothing more may be added */
  readonly add: (lines: Buffer, rows: number) => void;
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
    add: (lines, rows) => {
      if (count.bytes === 0) since = now();
      const written = writeSync(fd, lines);
      if (written !== lines.length) {
        ftruncateSync(fd, count.bytes);
        throw new Error(`${written} of ${lines.length} bytes were written`);
      }
      count.bytes += written;
      count.rows += rows;
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
  const bytes = readRegular(path, MAX_SPOOL_FILE_BYTES, 'refuse');
  let rows = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) rows += 1;
  return { path, rows, bytes: bytes.length, since: Math.trunc(statSync(path).birthtimeMs) };
}

/** The rows of a file, and how many lines are none: what a crash or a full disk cut off was never acknowledged. */
export function readRows(path: string): { readonly rows: readonly NewEntry[]; readonly torn: number } {
  const lines = readRegular(path, MAX_SPOOL_FILE_BYTES, 'refuse').toString('utf8').split('\n');
  const cutOff = lines.pop() === '' ? 0 : 1;
  const rows = lines.map(parsed).filter((it) => it !== undefined);
  return { rows, torn: cutOff + lines.length - rows.length };
}

function parsed(line: string): NewEntry | undefined {
  try {
    const given: unknown = JSON.parse(line);
    const { body, intent } = Line.parse(given);
    const { type, id, agent_id, audit_token, created_at } = body;
    // the keys of what was given stand in the order in which they were written; a schema puts them in its own
    const text = JSON.stringify((given as { readonly body: unknown }).body);
    return { type, id, agent_id, audit_token, created_at, body: text, intent };
  } catch {
    return undefined;
  }
}

/** A row as a line. A body is JSON without line breaks: it is not written in JSON again, which costs most of a row. */
export function lineOf({ body, intent }: NewEntry): string {
  return `{"body":${body},"intent":${JSON.stringify(intent)}}\n`;
}
