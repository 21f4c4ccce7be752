import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteReader, type SqliteReader } from './reader.ts';
import { OPENED, type ThreadReply, type ThreadOptions, type ThreadRequest } from './thread-messages.ts';
import { openSqliteWriter, type SqliteWriter } from './writer.ts';

/** A thread that writes or reads the audit file, so that a slow disk or a lock does not block requests. */
function work(): void {
  const { path, options } = workerData as ThreadOptions;
  const reply = (message: ThreadReply) => parentPort?.postMessage(message);
  let file: SqliteWriter | SqliteReader;
  try {
    file = options === null ? openSqliteReader(path) : openSqliteWriter(path, options);
    reply({ id: OPENED });
  } catch (error) {
    reply({ id: OPENED, error: messageOf(error) });
    return;
  }
  parentPort?.on('message', ({ id, call, args, stop }: ThreadRequest) => {
    const isStopped = () => stop !== undefined && Atomics.load(stop, 0) !== 0;
    try {
      if (isStopped()) throw new Error('cancelled');
      reply({ id, value: (file as unknown as Calls)[call](...args, isStopped) });
    } catch (error) {
      reply({ id, error: messageOf(error) });
    }
    if (call === 'end') parentPort?.close();
  });
}

type Calls = Record<ThreadRequest['call'], (...args: readonly unknown[]) => unknown>;

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

work();
