import { closeSync, constants, existsSync, fstatSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { writeFileSync, writeSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { orNull } from '../../schema/or-null.ts';
import { assertOwnWay } from './own-way.ts';

// Hooks of hosts start this file within milliseconds: it loads no schema.

/** The file of a folder to which hooks append arrivals. */
export const ARRIVALS_FILE = 'arrivals.jsonl';

/** A larger file is not appended to: until it is taken, further arrivals are not kept. */
export const ARRIVALS_BYTES = 8 * 1024 * 1024;

/** The most bytes of one line. */
export const ARRIVAL_LINE_BYTES = 64 * 1024;

/** The folders in which a project keeps what its hooks write. */
export interface ArrivalsPlace {
  /** `.vade` of the project. */
  readonly folder: string;
  /** Used where the first one cannot be written; below the folder for temporary files, private to the user. */
  readonly scratch: string;
}

/** Whether a file belongs to the user of this process; true on a system without owners. */
function isOwn({ uid }: Pick<Stats, 'uid'>): boolean {
  return process.geteuid === undefined || uid === process.geteuid();
}

/**
 * Whether a scratch folder and the one around it are real folders of this user alone: others can create any name in the
 * folder for temporary files. A missing folder is none.
 */
export function isOwnScratch(scratch: string): boolean {
  return [dirname(scratch), scratch].every((folder) => {
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    return stat?.isDirectory() === true && isOwn(stat) && (stat.mode & 0o077) === 0;
  });
}

/**
 * Appends one line, in one write, to the spool of a project; to that of the scratch folder where the first cannot be
 * written. It never throws: no host waits for its audit. A line that is written while its file is taken may be lost.
 *
 * @param line JSON without line breaks, at most `ARRIVAL_LINE_BYTES`
 * @returns whether it was kept; false if the spool is full too
 */
export function appendArrival(place: ArrivalsPlace, line: string): boolean {
  if (Buffer.byteLength(line) >= ARRIVAL_LINE_BYTES || line.includes('\n')) return false;
  return appendLines(place, ARRIVALS_FILE, [line], ARRIVALS_BYTES);
}

/**
 * Appends lines likewise to any file of a hook.
 *
 * @param name of the file, in either folder
 * @param most bytes of the file
 */
export function appendLines(place: ArrivalsPlace, name: string, lines: readonly string[], most: number): boolean {
  // the break comes first: so a line that a full disk cut off does not spoil the next one
  const bytes = Buffer.from(lines.map((it) => `\n${it}`).join(''));
  const own = orNull(() => append(ownFile(place.folder, name), bytes, most));
  return own ?? orNull(() => append(scratchFile(place.scratch, name), bytes, most)) ?? false;
}

/** @throws Error if the folder cannot be made; output_failed if a link leads to it */
function ownFile(folder: string, name: string): string {
  const file = join(folder, name);
  assertOwnWay(file);
  const isNew = mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined;
  const ignored = join(folder, '.gitignore');
  if (isNew && !existsSync(ignored)) writeFileSync(ignored, '*\n', { flag: 'wx' });
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return file;
}

/** @throws Error if the folder cannot be made, or is not the user's own */
function scratchFile(scratch: string, name: string): string {
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  if (!isOwnScratch(scratch)) throw new Error(`${scratch} is not private to this user`);
  const file = join(scratch, name);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return file;
}

/** @returns false if the file is full @throws Error if it cannot be written, or is not a file of this user */
function append(path: string, bytes: Buffer, most: number): boolean {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;
  const file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || !isOwn(stat)) throw new Error(`${path} is not a file of this user`);
    if (stat.size + bytes.length > most) return false;
    if (writeSync(file, bytes) !== bytes.length) throw new Error(`${path} took only a part of the line`);
    return true;
  } finally {
    closeSync(file);
  }
}
