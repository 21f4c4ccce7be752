import { parentPort, workerData } from 'node:worker_threads';
import { OPENED, type Done, type Opening, type Order } from './order.ts';
import { openSqliteReader, type SqliteReader } from './reader.ts';
import { openSqliteWriter, type SqliteWriter } from './writer.ts';

/** A thread that writes the audit file, or reads it: a disk that is slow, or a lock, holds no request up. */
function work(): void {
  const { path, options } = workerData as Opening;
  const tell = (done: Done) => parentPort?.postMessage(done);
  let file: SqliteWriter | SqliteReader;
  try {
    file = options === null ? openSqliteReader(path) : openSqliteWriter(path, options);
    tell({ id: OPENED });
  } catch (error) {
    tell({ id: OPENED, error: wordsOf(error) });
    return;
  }
  parentPort?.on('message', ({ id, call, given, stop }: Order) => {
    const isStopped = () => stop !== undefined && Atomics.load(stop, 0) !== 0;
    try {
      if (isStopped()) throw new Error('nobody waits for it any more');
      tell({ id, value: (file as unknown as Calls)[call](...given, isStopped) });
    } catch (error) {
      tell({ id, error: wordsOf(error) });
    }
    if (call === 'end') parentPort?.close();
  });
}

type Calls = Record<Order['call'], (...given: readonly unknown[]) => unknown>;

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

work();
