import { createHash } from 'node:crypto';
import type { Database as Connection } from 'better-sqlite3';
import { FORMAT_PATH } from './store-format.ts';

/** Where in the store a file lies. */
export type FilePlace = 'active' | 'fallback' | 'archive';

/** What a file is, as the pure core judges it from its path and bytes. */
export interface FileNote {
  readonly place: FilePlace;
  readonly kind: string;
  readonly id: string;
  /** What lists show of it; JSON. */
  readonly summary: unknown;
}

/** Judges a file; null for one that is no capsule, which is kept and not listed. */
export type DescribeFile = (path: string, bytes: Buffer) => FileNote | null;

/** A capsule's name: two fields that no other capsule of its owner has together. */
export interface SubjectName {
  readonly kind: string;
  readonly id: string;
}

/** All that the store holds of one subject, by path. */
export interface HeldFiles {
  readonly active: HeldFile | null;
  readonly fallback: HeldFile | null;
  readonly archives: ReadonlyMap<string, Buffer>;
}

export interface HeldFile {
  readonly path: string;
  readonly bytes: Buffer;
}

/** A row of a list. */
export interface ListedFile {
  readonly path: string;
  readonly place: FilePlace;
  readonly blob: string;
  /** JSON. */
  readonly summary: string;
}

/** The files of a store, as of its tip. */
export interface FileTable {
  readonly write: (path: string, bytes: Buffer | null) => void;
  readonly of: (subject: SubjectName) => HeldFiles;
  /** Who has a path; null if nobody. */
  readonly holderOf: (path: string) => SubjectName | null;
  /** The file that names the format of the store; null without one. */
  readonly format: () => Buffer | null;
  readonly clear: () => void;
}

/** @param db open for writing */
export function fileTable(db: Connection, describe: DescribeFile): FileTable {
  const put = db.prepare('INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?)');
  const remove = db.prepare('DELETE FROM files WHERE path = ?');
  const holder = db.prepare('SELECT kind, id FROM files WHERE path = ?');
  const bytesAt = db.prepare('SELECT bytes FROM files WHERE path = ?').pluck();
  const clear = db.prepare('DELETE FROM files');
  return {
    ...readFiles(db),
    write: (path, bytes) => {
      if (bytes === null) {
        remove.run(path);
        return;
      }
      const note = describe(path, bytes);
      const { place = 'other', kind = '', id = '', summary = null } = note ?? {};
      put.run(path, place, kind, id, blobId(bytes), JSON.stringify(summary), bytes);
    },
    holderOf: (path) => (holder.get(path) as SubjectName | undefined) ?? null,
    format: () => (bytesAt.get(FORMAT_PATH) as Buffer | undefined) ?? null,
    clear: () => void clear.run(),
  };
}

/** The reading half, for a connection that may only read. */
export function readFiles(db: Connection): Pick<FileTable, 'of'> & { readonly list: () => readonly ListedFile[] } {
  const select = db.prepare('SELECT path, place, bytes FROM files WHERE kind = ? AND id = ? ORDER BY path');
  const list = db.prepare("SELECT path, place, blob, summary FROM files WHERE place <> 'other' ORDER BY path");
  return {
    of: ({ kind, id }) => gather(select.all(kind, id) as HeldRow[]),
    list: () => list.all() as ListedFile[],
  };
}

interface HeldRow extends HeldFile {
  readonly place: FilePlace;
}

function gather(rows: readonly HeldRow[]): HeldFiles {
  const at = (place: FilePlace) => rows.find((it) => it.place === place) ?? null;
  const archived = rows.filter((it) => it.place === 'archive').map((it) => [it.path, it.bytes] as const);
  return { active: at('active'), fallback: at('fallback'), archives: new Map(archived) };
}

/** The id that git gives a blob. */
function blobId(bytes: Buffer): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
