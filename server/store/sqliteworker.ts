import { parentPort, workerData } from 'node:worker_threads';
import type { StoreOptions } from './auditstore.ts';
import { OPENED, type Done, type Order } from './sqliteorder.ts';
import { openSqliteWriter, type SqliteWriter } from './sqlitewriter.ts';

/** The thread that writes the audit file: a disk that is slow, or a lock, holds no request up. */
function work(): void {
  const { path, options } = workerData as { readonly path: string; readonly options: StoreOptions };
  const tell = (done: Done) => parentPort?.postMessage(done);
  let writer: SqliteWriter;
  try {
    writer = openSqliteWriter(path, options);
    tell({ id: OPENED });
  } catch (error) {
    tell({ id: OPENED, error: wordsOf(error) });
    return;
  }
  parentPort?.on('message', ({ id, call, given }: Order) => {
    try {
      tell({ id, value: (writer[call] as (...given: unknown[]) => unknown)(...given) });
    } catch (error) {
      tell({ id, error: wordsOf(error) });
    }
    if (call === 'end') parentPort?.close();
  });
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

work();
