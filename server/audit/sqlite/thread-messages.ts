import type { StoreOptions } from '../records/store.ts';
import type { SqliteReader } from './reader.ts';
import type { SqliteWriter } from './writer.ts';

/** The options of a thread; without store options it only reads. */
export interface FileOptions {
  readonly path: string;
  readonly options: StoreOptions | null;
}

/** Functions of the thread; it has those of a reader or those of a writer. */
export interface FileCalls extends Omit<SqliteWriter, 'end'>, Omit<SqliteReader, 'end'> {
  /** Answered as soon as the file is open. */
  readonly opened: () => void;
}
