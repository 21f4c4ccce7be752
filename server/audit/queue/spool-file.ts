import { createHmac, timingSafeEqual } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, statSync, unlinkSync, writeSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readRegular } from '../../../compiler/io/files/file.ts';
import { orNull } from '../../../compiler/schema/or-null.ts';
import { coveredText, idOf, toEntry } from '../records/hash-chain.ts';
import type { NewEntry } from '../records/store.ts';

const Type = z.enum(['recall', 'closing', 'capsule']);
const Text = z.string();
const Name = Text.nullable();
/** Unparsed, because the hash covers the order of its keys. */
const Body = z.custom<object>((it) => typeof it === 'object' && it !== null);

/** A row of the spool: what the chain covers, unchanged, and the intent. Untrusted. */
const Line = z.strictObject({
  row: z.tuple([Type, Text, Text, Text, z.int(), Name, Name, Name, Body]),
  intent: z.strictObject({ salt: z.string(), text: z.string(), files: z.string().nullable() }).nullable(),
});

/** Upper limit; far above the size of one spool file. */
const MAX_SPOOL_FILE_BYTES = 256 * 1024 * 1024;

/** One file of the spool. */
export interface SpoolFile {
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  /** When its first row was written, in milliseconds since 1970. */
  readonly since: number;
}

/** A file to which rows are appended. */
export interface OpenSpoolFile extends SpoolFile {
  /** Appends lines in one write: all, or none. @throws Error; after it nothing more may be appended */
  readonly add: (lines: Buffer, rows: number) => void;
  /** Removes all rows. */
  readonly empty: () => void;
  /** Closes the file; deletes it if it is empty. @returns whether it still exists */
  readonly close: () => boolean;
}

/** Creates a file with mode 0600. @throws Error if it cannot be created, or exists */
export function createSpoolFile(path: string, now: () => number): OpenSpoolFile {
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

/** A file of an ended process; its rows are counted, but not parsed. */
export function inspectSpoolFile(path: string): SpoolFile {
  const bytes = readRegular(path, MAX_SPOOL_FILE_BYTES, 'refuse');
  let rows = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) rows += 1;
  return { path, rows, bytes: bytes.length, since: Math.trunc(statSync(path).birthtimeMs) };
}

/** The rows in a file of the spool. */
export interface SpooledRows {
  readonly rows: readonly NewEntry[];
  /** Lines truncated by a crash or a full disk, which were never acknowledged. */
  readonly torn: number;
  /** Whole lines that no server with this key wrote, or that were changed since. */
  readonly altered: number;
}

export function readRows(path: string, seal: SpoolSeal): SpooledRows {
  const lines = readRegular(path, MAX_SPOOL_FILE_BYTES, 'refuse').toString('utf8').split('\n');
  const torn = lines.pop() === '' ? 0 : 1;
  const rows = lines.map((it) => parsed(it, seal)).filter((it) => it !== undefined);
  return { rows, torn, altered: lines.length - rows.length };
}

const SEALED = /^\{"mac":"([\w-]{43})",(.*)\}$/;

function parsed(line: string, seal: SpoolSeal): NewEntry | undefined {
  const [, mac = '', row = ''] = SEALED.exec(line) ?? [];
  if (mac === '' || !seal.isOwn(row, mac)) return undefined;
  try {
    const { row: covered, intent } = Line.parse(JSON.parse(`{${row}}`));
    const [type, own, agent_id, audit_token, created_at, asked_by, bundle_revision, request, body] = covered;
    const columns = { agent_id, audit_token, created_at, asked_by, bundle_revision, request };
    return { ...toEntry({ type, id: idOf(type, own, audit_token), ...columns, intent }, body) };
  } catch {
    return undefined;
  }
}

/**
 * A row as a sealed line. A body is JSON without line breaks already; serialising it again would be the main cost of a
 * row.
 */
export function lineOf(entry: NewEntry, seal: SpoolSeal): string {
  const row = `"row":${coveredText(entry)},"intent":${JSON.stringify(entry.intent)}`;
  return `{"mac":"${seal.macOf(row)}",${row}}\n`;
}

/** Number of rows in the spool of an audit. @param place the prefix of the spool's name */
export function spooledRows({ state }: { readonly state: string }): number {
  const folder = `${state}.spool`;
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return files.reduce((rows, name) => rows + rowsOf(join(folder, name)), 0);
}

/** A running server may have stored and removed the file meanwhile. */
function rowsOf(path: string): number {
  return orNull(() => inspectSpoolFile(path).rows) ?? 0;
}

/** Proves that a row of the spool is one that a server with the same key acknowledged. */
export interface SpoolSeal {
  readonly macOf: (row: string) => string;
  readonly isOwn: (row: string, mac: string) => boolean;
}

/** @param secrets `VADE_AUDIT_KEY`: the first seals, all verify, so that keys can be rotated while rows wait */
export function createSpoolSeal(secrets: readonly [Buffer, ...Buffer[]]): SpoolSeal {
  // the secrets are those of audit tokens, and no token may pass for a row
  const keys = secrets.map((it) => createHmac('sha256', it).update('vade-spool-1').digest());
  const [first = Buffer.alloc(0)] = keys;
  const macBy = (key: Buffer, row: string) => createHmac('sha256', key).update(row).digest('base64url');
  return {
    macOf: (row) => macBy(first, row),
    isOwn: (row, mac) => keys.some((key) => timingSafeEqual(Buffer.from(macBy(key, row)), Buffer.from(mac))),
  };
}
