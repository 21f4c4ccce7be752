import type { Database as Connection } from 'better-sqlite3';
import { blobId } from '../../../compiler/trust/canonical.ts';
import { FORMAT_PATH } from './store-format.ts';

/** The place of a file in the store; one that is `misplaced` is where a folder belongs. */
export type FilePlace = 'active' | 'fallback' | 'archived' | 'task' | 'misplaced';

/** The note of a file, as the pure core judges it from its path and bytes. */
export interface FileNote {
  readonly place: FilePlace;
  /** The path of the active capsule of its subject, whether there is one or not. */
  readonly home: string;
  /** The id of its subject; empty if the file has none. */
  readonly id: string;
}

/** A capsule's name: two fields that no other capsule of its owner has together. */
export interface SubjectName {
  readonly kind: string;
  readonly id: string;
}

/** Layout of files, as the pure core defines it. */
export interface Layout {
  /** Judges a file; null for one that belongs to no capsule, which is kept and not listed. */
  readonly describe: (path: string, bytes: Buffer) => FileNote | null;
  /** The summary of a file in lists; JSON, or null for none. */
  readonly summaryOf: (path: string, bytes: Buffer) => unknown;
  /** Whether a path belongs to the subject whose active capsule is at `home`, now or at any time before. */
  readonly isOf: (home: string, path: string) => boolean;
  /** Path of the active capsule of a subject, also before it exists; `holder` names the subject of a path. */
  readonly homeOf: (subject: SubjectName, holder: (home: string) => string | null) => string;
}

/** All that the store holds of one subject. */
export interface HeldFiles {
  /** Path of its active capsule, also before it exists. */
  readonly path: string;
  readonly active: Buffer | null;
  readonly fallback: Buffer | null;
  /** By path. */
  readonly archives: ReadonlyMap<string, Buffer>;
}

/** A row of a list. */
export interface ListedFile {
  readonly path: string;
  readonly blob: string;
  /** Null for a file that cannot be read. */
  readonly summary: unknown;
  /** Of such a file, the id of its subject as other files tell it. */
  readonly holder: string | null;
}

/** The files of a store, as of its tip. */
export interface FileTable extends FileReading {
  readonly write: (path: string, bytes: Buffer | null) => void;
  /** Number of subjects with an active capsule. */
  readonly subjects: () => number;
  readonly clear: () => void;
}

/** The queries of a read-only connection. */
export interface FileReading {
  /** The file that names the format of the store; null without one. */
  readonly format: () => Buffer | null;
  readonly of: (subject: SubjectName) => HeldFiles;
  /** Fallbacks are summarised when they are listed: they are written with every capsule, and hardly ever requested. */
  readonly list: (withFallbacks: boolean) => readonly ListedFile[];
  /** Files that link subjects besides their capsules: tasks and misplaced files; at most so many. */
  readonly links: (most: number) => readonly ListedFile[];
}

/** @param db open for writing */
export function fileTable(db: Connection, layout: Layout): FileTable {
  const put = db.prepare('INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?)');
  const remove = db.prepare('DELETE FROM files WHERE path = ?');
  const clear = db.prepare('DELETE FROM files');
  const subjects = db.prepare("SELECT count(*) FROM files WHERE place = 'active'").pluck();
  return {
    ...readFiles(db, layout),
    write: (path, bytes) => {
      if (bytes === null) {
        remove.run(path);
        return;
      }
      const { place = 'other', home = path, id = '' } = layout.describe(path, bytes) ?? {};
      const summary = LISTED.includes(place) ? layout.summaryOf(path, bytes) : null;
      put.run(path, place, home, id, blobId(bytes), JSON.stringify(summary), bytes);
    },
    subjects: () => subjects.get() as number,
    clear: () => void clear.run(),
  };
}

/** The places whose summaries are kept. */
const LISTED = ['active', 'archived', 'task'];

export function readFiles(db: Connection, { homeOf, summaryOf }: Pick<Layout, 'homeOf' | 'summaryOf'>): FileReading {
  const holder = db.prepare("SELECT id FROM files WHERE home = ? AND id <> '' ORDER BY path LIMIT 1").pluck();
  const select = db.prepare('SELECT path, place, bytes FROM files WHERE home = ? ORDER BY path');
  const fallbacks = db.prepare("SELECT path, blob, bytes FROM files WHERE place = 'fallback' ORDER BY path");
  const listed = listing(db, "place IN ('active', 'archived')");
  const links = listing(db, "place IN ('task', 'misplaced')");
  const format = db.prepare('SELECT bytes FROM files WHERE path = ?').pluck();
  const holderOf = (home: string) => (holder.get(home) as string | undefined) ?? null;
  return {
    format: () => (format.get(FORMAT_PATH) as Buffer | undefined) ?? null,
    of: (subject) => {
      const home = homeOf(subject, holderOf);
      return gather(home, select.all(home) as HeldRow[]);
    },
    list: (withFallbacks) => {
      const rows = listed(-1);
      if (!withFallbacks) return rows;
      const more = (fallbacks.all() as (HeldRow & ListedRow)[]).map(({ path, blob, bytes }) => {
        const summary = summaryOf(path, bytes);
        return { path, blob, summary, holder: null };
      });
      return [...rows, ...more];
    },
    links,
  };
}

/** Rows by path, with their summaries; read again only after a change, where an unchanged file is not parsed. */
function listing(db: Connection, condition: string): (most: number) => readonly ListedFile[] {
  const holder = `SELECT id FROM files AS other WHERE other.home = files.home AND id <> '' ORDER BY path LIMIT 1`;
  const select = db.prepare(
    `SELECT path, blob, summary, CASE summary WHEN 'null' THEN (${holder}) END AS holder FROM files
     WHERE ${condition} ORDER BY path LIMIT ?`,
  );
  const tip = db.prepare("SELECT value FROM meta WHERE name = 'tip'").pluck();
  let last: { readonly tip: unknown; readonly rows: readonly ListedFile[] } = { tip: null, rows: [] };
  return (most) => {
    const at = tip.get();
    if (last.tip !== at) {
      // the holder of an unreadable file depends on the files beside it
      const known = new Map(last.rows.filter((it) => it.summary !== null).map((it) => [it.blob + it.path, it]));
      const rows = (select.all(most) as ListedRow[]).map(({ path, blob, summary, holder: id }) => {
        return known.get(blob + path) ?? { path, blob, summary: JSON.parse(summary) as unknown, holder: id };
      });
      last = { tip: at, rows };
    }
    return last.rows;
  };
}

interface ListedRow {
  readonly path: string;
  readonly blob: string;
  readonly summary: string;
  readonly holder: string | null;
}

/** A file that belongs to a subject. */
export interface HeldRow {
  readonly path: string;
  readonly place: FilePlace;
  readonly bytes: Buffer;
}

/** @param path of the active capsule */
export function gather(path: string, rows: readonly HeldRow[]): HeldFiles {
  const at = (place: FilePlace) => rows.find((it) => it.place === place)?.bytes ?? null;
  const archived = rows.filter((it) => it.place === 'archived').map((it) => [it.path, it.bytes] as const);
  return { path, active: at('active'), fallback: at('fallback'), archives: new Map(archived) };
}
