import { accessSync, constants, existsSync, mkdirSync, readdirSync, renameSync, unlinkSync, lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import { takeLock } from '../../../compiler/io/files/lock.ts';
import { isSqliteMissing, sqliteUnavailable } from '../../../compiler/io/files/sqlite.ts';
import type { NewEntry } from '../records/store.ts';
import {
  createSpoolFile,
  inspectSpoolFile,
  lineOf,
  readRows,
  type OpenSpoolFile,
  type SpoolFile,
  type SpoolSeal,
} from './spool-file.ts';

export interface SpoolOptions {
  /** Folder shared by the spools of several processes; created if missing. */
  readonly folder: string;
  /** Names the files of this process. */
  readonly writer: string;
  /** Maximal size of all rows of this spool. */
  readonly maxBytes: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly seal: SpoolSeal;
  /** Called with a file that has rows which are not stored, and is kept. */
  readonly onAltered: (path: string, rows: number) => void;
}

/** Rows that wait on disk for the store, oldest first. They survive the process, but not a loss of power. */
export interface Spool {
  /** Adds all rows in one write, or none. @throws Error if it is full, or cannot be written */
  readonly add: (entries: readonly NewEntry[]) => void;
  /** The oldest rows, some thousand at most; they stay until `drop`. */
  readonly oldest: () => readonly NewEntry[];
  /** Removes the rows that `oldest` returned, once the store has them. */
  readonly drop: () => void;
  /** Keeps the rows that `oldest` returned, to be returned again. */
  readonly putBack: () => void;
  /** Removes this number of the oldest rows, which the store has without `oldest`. */
  readonly stored: (rows: number) => void;
  /** Rows that `oldest` has not returned yet: new rows have to wait behind them. */
  readonly unread: () => number;
  readonly rows: () => number;
  readonly bytes: () => number;
  /** When the oldest row was added, in milliseconds since 1970; null without rows. */
  readonly since: () => number | null;
  /** Truncated lines since the start. */
  readonly torn: () => number;
  readonly end: () => void;
}

/** A file of this size is closed: its rows are read together, and go to the store in one transaction. */
const FILE_BYTES = 512 * 1024;

/**
 * Opens the spool of this process, and takes over the files of ended processes.
 *
 * @throws Error if the folder is not writable
 */
export function openSpool(options: SpoolOptions): Spool {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  accessSync(options.folder, constants.W_OK);
  const locks = new Map<string, () => void>();
  const files = takeOver(options.folder, locks);
  const writer = createWriter(options, files, locks);
  const onDropped = () => {
    unlockEmptied(locks, files, options.writer);
  };
  const reader = createReader(options, files, writer, onDropped);
  const bytes = () => sum(files, writer.open(), 'bytes');
  return {
    add: (entries) => {
      const lines = Buffer.from(entries.map((it) => lineOf(it, options.seal)).join(''));
      if (bytes() + lines.length > options.maxBytes) throw new Error('the spool is full');
      writer.add(lines, entries.length);
    },
    ...reader,
    bytes,
    since: () => (files[0] ?? writer.open())?.since ?? null,
    end: () => {
      writer.close();
      unlockEmptied(locks, files);
      for (const release of locks.values()) release();
    },
  };
}

/** Runs for every row, so it allocates nothing. */
function sum(files: readonly SpoolFile[], open: SpoolFile | null, of: 'rows' | 'bytes'): number {
  let total = open?.[of] ?? 0;
  for (const file of files) total += file[of];
  return total;
}

type SpoolWriter = ReturnType<typeof createWriter>;
type SpoolReader = Pick<Spool, 'oldest' | 'drop' | 'stored' | 'putBack' | 'unread' | 'rows' | 'torn'>;

/** Reads rows from the files, oldest first, and removes finished files. */
function createReader(of: SpoolOptions, files: SpoolFile[], writer: SpoolWriter, onDropped: () => void): SpoolReader {
  let torn = 0;
  // rows of the oldest file that the store has already
  let storedRows = 0;
  let read: ReturnType<typeof readRows> | null = null;
  const all = () => sum(files, writer.open(), 'rows');
  const rows = () => all() - storedRows;
  const drop = () => {
    const first = files.shift();
    if (first) removeFile(first.path, read?.altered ?? 0, of.onAltered);
    torn += read?.torn ?? 0;
    read = null;
    storedRows = 0;
    onDropped();
  };
  const oldest = () => {
    if (files.length === 0) writer.close();
    // a file without a complete row is removed
    while (files[0] && (read ??= readRows(files[0].path, of.seal)).rows.length === 0) drop();
    return read?.rows ?? [];
  };
  const stored = (more: number) => {
    let remaining = storedRows + more;
    for (let first = files[0]; first && remaining >= first.rows; first = files[0]) {
      remaining -= first.rows;
      drop();
    }
    storedRows = remaining;
    if (rows() > 0) return;
    writer.empty();
    storedRows = 0;
  };
  return {
    oldest,
    drop,
    stored,
    rows,
    torn: () => torn,
    putBack: () => void (read = null),
    unread: () => (read === null ? rows() : all() - (files[0]?.rows ?? 0)),
  };
}

/** Removes a file; one with unacknowledged rows is kept aside: they are no part of the audit, but evidence. */
function removeFile(path: string, altered: number, onAltered: SpoolOptions['onAltered']): void {
  if (altered === 0) {
    unlinkSync(path);
    return;
  }
  renameSync(path, `${path}.altered`);
  onAltered(`${path}.altered`, altered);
}

/** Appends lines to one file after another; a closed file is added to `files`. */
function createWriter({ folder, writer, now }: SpoolOptions, files: SpoolFile[], locks: Map<string, () => void>) {
  let current: OpenSpoolFile | null = null;
  let fileCount = 0;
  const createFile = () => {
    // locked before there is a file, so that no other process takes it over
    const lock = locks.get(writer) ?? acquireLock(join(folder, `${writer}.lock`));
    if (lock === null) throw new Error(`${writer} is in use by another process`);
    locks.set(writer, lock);
    return createSpoolFile(join(folder, `${writer}.${String(++fileCount).padStart(8, '0')}.jsonl`), now);
  };
  const close = () => {
    if (current?.close() === true) files.push(current);
    current = null;
  };
  const add = (lines: Buffer, rows: number) => {
    current ??= createFile();
    try {
      current.add(lines, rows);
    } catch (error) {
      // a truncated line stays the last one of its file, where it damages no other row
      close();
      throw error;
    }
    if (current.bytes >= FILE_BYTES) close();
  };
  return { add, close, empty: () => current?.empty(), open: () => current };
}

const NAME = /^(.+)\.\d{8}\.jsonl$/;

/** The files of ended processes, oldest process first; locked, so that no other process takes them too. */
function takeOver(folder: string, locks: Map<string, () => void>): SpoolFile[] {
  const files: SpoolFile[] = [];
  for (const name of readdirSync(folder).sort()) {
    const writer = NAME.exec(name)?.[1];
    if (writer === undefined) continue;
    const lock = locks.get(writer) ?? acquireLock(join(folder, `${writer}.lock`));
    if (lock === null) continue;
    locks.set(writer, lock);
    // its owner may have ended in between and removed it
    if (existsSync(join(folder, name))) files.push(inspectSpoolFile(join(folder, name)));
  }
  unlockEmptied(locks, files);
  return files;
}

/** Releases the locks of writers without files, except the one that keeps writing. */
function unlockEmptied(locks: Map<string, () => void>, remaining: readonly SpoolFile[], except = ''): void {
  for (const [writer, release] of locks) {
    if (writer === except || remaining.some((it) => basename(it.path).startsWith(`${writer}.`))) continue;
    release();
    locks.delete(writer);
  }
}

/**
 * Locks a name until it is released or this process ends, even if it is killed; null if another process holds it.
 *
 * @returns releases the lock and removes its file
 * @throws Error if the file cannot be created, or is not a regular file; sqlite_unavailable
 */
export function acquireLock(path: string): (() => void) | null {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) {
    throw new Error(`${path} is not a regular file: delete it`);
  }
  // a lock without SQLite does not work across containers that share the folder
  if (isSqliteMissing()) throw sqliteUnavailable();
  return takeLock(path);
}
