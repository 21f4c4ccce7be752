import { startThread, type Thread } from '../../../compiler/io/process/thread-calls.ts';
import type { AuditStore, StoreOptions } from '../records/store.ts';
import type { SqliteReader } from './reader.ts';
import type { SqliteWriter } from './writer.ts';

/**
 * The audit in one SQLite file, written by one thread. Other threads, started on first use, read it, so that reads do
 * not delay writes.
 *
 * @throws Error if the file cannot be opened, or is not an audit
 */
export async function openSqliteStore(path: string, options: StoreOptions): Promise<AuditStore> {
  const writer = await openThread({ path, options });
  // aggregations take long, so they have a thread apart from lists
  const pages = createLazyReader(path);
  const sums = createLazyReader(path);
  return {
    append: (entries) => writer.call('append', [entries]),
    checkpoint: (point) => writer.call('checkpoint', [point]),
    isClosed: (token) => writer.call('isClosed', [token]),
    list: async (...args) => (await pages.ready()).call('list', args),
    days: async (query, signal) => (await sums.ready()).call('days', [query], signal),
    sums: async (query, signal) => (await sums.ready()).call('sums', [query], signal),
    arrivals: async (query, signal) => (await sums.ready()).call('arrivals', [query], signal),
    archive: (documents) => writer.call('archive', [documents]),
    hasEnded: writer.hasEnded,
    end: async () => {
      await Promise.all([pages.end(), sums.end()]);
      await writer.end();
    },
  };
}

/** A reader thread that is started on first use, and again after it has ended. */
function createLazyReader(path: string) {
  let thread: Promise<Thread<FileCalls>> | null = null;
  const end = async () => {
    const last = thread;
    thread = null;
    await last?.then((it) => it.end()).catch(() => undefined);
  };
  const ready = async () => {
    const known = thread;
    const hasEnded = known !== null && ((await known.catch(() => null))?.hasEnded() ?? true);
    // a concurrent call may have started another thread meanwhile
    if (hasEnded && thread === known) thread = null;
    return (thread ??= openThread({ path, options: null }));
  };
  return { ready, end };
}

/** A thread that has opened the file. @throws Error if it cannot be opened */
async function openThread(data: FileOptions): Promise<Thread<FileCalls>> {
  const thread = startThread<FileCalls>('server/audit/sqlite/worker', {
    data,
    lost: (cause) => cause ?? new Error('the thread that writes the audit has ended'),
  });
  await thread.call('opened', []);
  return thread;
}

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
