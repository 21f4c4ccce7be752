import { accessSync, constants, existsSync, mkdirSync, readdirSync, unlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { NewEntry } from '../records/store.ts';
import { beginFile, leftFile, lineOf, readRows, type GrowingFile, type SpoolFile } from './spool-file.ts';
import { takeLock, type SpoolLock } from './spool-lock.ts';

export interface SpoolOptions {
  /** Folder of the spools of every process that keeps them here; made where it is missing. */
  readonly folder: string;
  /** Names this process's own files. */
  readonly writer: string;
  /** What all rows here may weigh. */
  readonly maxBytes: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Rows that wait on disk for the store, oldest first. What was added outlives the process, not a loss of power. */
export interface Spool {
  /** Adds rows in one write. @throws Error where it is full, or cannot be written: none of them is kept then */
  readonly add: (entries: readonly NewEntry[]) => void;
  /** The oldest rows, some thousand at most; they stay until they are dropped. Empty where there are none. */
  readonly oldest: () => readonly NewEntry[];
  /** Takes away what `oldest` gave, once the store has it. */
  readonly drop: () => void;
  /** Leaves what `oldest` gave where it is, to be given again. */
  readonly putBack: () => void;
  /** The oldest rows, so many, are in the store without having been given out: they need not be kept. */
  readonly stored: (rows: number) => void;
  /** Rows that `oldest` has not given out: whatever comes now has to wait behind them. */
  readonly unread: () => number;
  readonly rows: () => number;
  readonly bytes: () => number;
  /** When the oldest row was added, in milliseconds since 1970; null where none is. */
  readonly since: () => number | null;
  /** Lines that could not be read, since the start. */
  readonly torn: () => number;
  readonly end: () => void;
}

/** A file ends once it is this long: its rows are read at once, and go to the store in one transaction. */
const FILE_BYTES = 512 * 1024;

/**
 * Opens this process's spool, and takes over what processes left that have ended.
 *
 * @throws Error where the folder cannot be written
 */
export function openSpool(options: SpoolOptions): Spool {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  accessSync(options.folder, constants.W_OK);
  const locks = new Map<string, SpoolLock>();
  const files = takeOver(options.folder, locks);
  const writer = adder(options, files, locks);
  const onDropped = () => {
    unlockEmptied(locks, files.concat(writer.open() ?? []), options.writer);
  };
  const reader = giver(files, writer, onDropped);
  const bytes = () => sum(files, writer.open(), 'bytes');
  return {
    add: (entries) => {
      const lines = Buffer.from(entries.map(lineOf).join(''));
      if (bytes() + lines.length > options.maxBytes) throw new Error('the spool is full');
      writer.add(lines, entries.length);
    },
    ...reader,
    bytes,
    since: () => (files[0] ?? writer.open())?.since ?? null,
    end: () => {
      writer.close();
      unlockEmptied(locks, files);
      for (const lock of locks.values()) lock.release();
    },
  };
}

/** Asked for with every row: it makes nothing. */
function sum(files: readonly SpoolFile[], open: SpoolFile | null, of: 'rows' | 'bytes'): number {
  let total = open?.[of] ?? 0;
  for (const file of files) total += file[of];
  return total;
}

type Giver = Pick<Spool, 'oldest' | 'drop' | 'stored' | 'putBack' | 'unread' | 'rows' | 'torn'>;

/** Gives rows out of the files, the oldest first, and takes files away that are done with. */
function giver(files: SpoolFile[], writer: ReturnType<typeof adder>, onDropped: () => void): Giver {
  let torn = 0;
  // rows of the oldest file that need not be kept
  let done = 0;
  let read: ReturnType<typeof readRows> | null = null;
  const all = () => sum(files, writer.open(), 'rows');
  const rows = () => all() - done;
  const drop = () => {
    const first = files.shift();
    torn += read?.torn ?? 0;
    read = null;
    done = 0;
    if (first) unlinkSync(first.path);
    onDropped();
  };
  const oldest = () => {
    if (files.length === 0) writer.close();
    // a file without a whole row has nothing for the store
    while (files[0] && (read ??= readRows(files[0].path)).rows.length === 0) drop();
    return read?.rows ?? [];
  };
  const stored = (more: number) => {
    let left = done + more;
    for (let first = files[0]; first && left >= first.rows; first = files[0]) {
      left -= first.rows;
      drop();
    }
    done = left;
    if (rows() > 0) return;
    writer.empty();
    done = 0;
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

/** Adds lines to one file after another; a file that is done joins `files`. */
function adder({ folder, writer, now }: SpoolOptions, files: SpoolFile[], locks: Map<string, SpoolLock>) {
  let growing: GrowingFile | null = null;
  let begun = 0;
  const begin = () => {
    // held before there is a file to take over
    const lock = locks.get(writer) ?? takeLock(join(folder, `${writer}.lock`));
    if (lock === null) throw new Error(`${writer} belongs to another process`);
    locks.set(writer, lock);
    return beginFile(join(folder, `${writer}.${String(++begun).padStart(8, '0')}.jsonl`), now);
  };
  const close = () => {
    if (growing?.close() === true) files.push(growing);
    growing = null;
  };
  const add = (lines: Buffer, rows: number) => {
    growing ??= begin();
    try {
      growing.add(lines, rows);
    } catch (error) {
      // should something cut off be left of them, it stands at the end of its file, where it harms no other row
      close();
      throw error;
    }
    if (growing.bytes >= FILE_BYTES) close();
  };
  return { add, close, empty: () => growing?.empty(), open: () => growing };
}

const NAME = /^(.+)\.\d{8}\.jsonl$/;

/** What ended processes left behind, oldest process first, held against others that start meanwhile. */
function takeOver(folder: string, locks: Map<string, SpoolLock>): SpoolFile[] {
  const files: SpoolFile[] = [];
  for (const name of readdirSync(folder).sort()) {
    const writer = NAME.exec(name)?.[1];
    if (writer === undefined) continue;
    const lock = locks.get(writer) ?? takeLock(join(folder, `${writer}.lock`));
    if (lock === null) continue;
    locks.set(writer, lock);
    // its owner may have ended in between, with nothing left
    if (existsSync(join(folder, name))) files.push(leftFile(join(folder, name)));
  }
  unlockEmptied(locks, files);
  return files;
}

/** Lets go of those of whom nothing is left, but for the one that goes on writing. */
function unlockEmptied(locks: Map<string, SpoolLock>, left: readonly SpoolFile[], but = ''): void {
  for (const [writer, lock] of locks) {
    if (writer === but || left.some((it) => basename(it.path).startsWith(`${writer}.`))) continue;
    lock.remove();
    locks.delete(writer);
  }
}
