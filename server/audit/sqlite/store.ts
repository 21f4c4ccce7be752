import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { AuditStore, StoreOptions } from '../records/store.ts';
import { OPENED, type ThreadReply, type ThreadOptions, type ThreadRequest } from './thread-messages.ts';

/**
 * The code of the thread. Node 20 does not run TypeScript, and a thread does not get the loader of a test run. So tests
 * use the built file, which every test run builds first (test/support/build.ts).
 */
function workerFile(): URL {
  const fromSources = import.meta.url.endsWith('.ts');
  return new URL(fromSources ? '../../../dist/server/audit/sqlite/worker.js' : './worker.js', import.meta.url);
}

/**
 * The audit in one SQLite file, written by one thread. Other threads, started on first use, read it, so that reads do
 * not delay writes.
 *
 * @throws Error if the file cannot be opened, or is not an audit
 */
export async function openSqliteStore(path: string, options: StoreOptions): Promise<AuditStore> {
  const writer = await startThread({ path, options });
  // aggregations take long, so they have a thread apart from lists
  const pages = createLazyReader(path);
  const sums = createLazyReader(path);
  return {
    append: (entries) => writer.request('append', [entries]),
    checkpoint: (point) => writer.request('checkpoint', [point]),
    isClosed: (token) => writer.request('isClosed', [token]),
    list: (...args) => pages.request('list', args),
    days: (query, signal) => sums.request('days', [query], signal),
    sums: (query, signal) => sums.request('sums', [query], signal),
    answersAt: (places) => pages.request('answersAt', [places]),
    archive: (documents) => writer.request('archive', [documents]),
    hasEnded: writer.hasEnded,
    end: async () => {
      await Promise.all([pages.end(), sums.end()]);
      await writer.end();
    },
  };
}

/** A reader thread that is started on first use, and again after it has ended. */
function createLazyReader(path: string) {
  let thread: ReturnType<typeof startThread> | null = null;
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
    return (thread ??= startThread({ path, options: null }));
  };
  const request = async <T>(call: ThreadRequest['call'], args: readonly unknown[], signal?: AbortSignal): Promise<T> =>
    (await ready()).request(call, args, signal);
  return { request, end };
}

/** A thread that has opened the file. @throws Error if it cannot be opened */
async function startThread(options: ThreadOptions) {
  const worker = new Worker(workerFile(), { workerData: options });
  const { opened, request, hasEnded } = createCaller(worker);
  await opened;
  const end = async () => {
    const ended = once(worker, 'exit');
    await request('end', []);
    worker.ref();
    await ended;
  };
  return { request, hasEnded, end };
}

interface PendingRequest {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Matches replies to requests; once the thread has ended, every request is refused. */
function createCaller(worker: Worker) {
  const waiting = new Map<number, PendingRequest>();
  let last = OPENED;
  let ended: Error | null = null;
  const replyOf = <T>(id: number) =>
    new Promise<T>((resolve, reject) => {
      waiting.set(id, { resolve: resolve as PendingRequest['resolve'], reject });
    });
  const opened = replyOf<undefined>(OPENED);
  const fail = (error: Error) => {
    ended ??= error;
    for (const it of waiting.values()) it.reject(ended);
    waiting.clear();
  };
  worker.on('message', ({ id, value, error }: ThreadReply) => {
    const sender = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) sender?.resolve(value);
    else sender?.reject(new Error(error));
    // an idle thread must not keep a process alive whose server could not start
    if (waiting.size === 0) worker.unref();
  });
  worker.on('error', fail);
  worker.on('exit', () => {
    fail(new Error('the thread that writes the audit has ended'));
  });
  const request = <T>(call: ThreadRequest['call'], args: readonly unknown[], signal?: AbortSignal): Promise<T> => {
    if (ended !== null) return Promise.reject(ended);
    const answer = replyOf<T>(++last);
    if (waiting.size === 1) worker.ref();
    const stop = signal && createStopFlag(signal, answer);
    worker.postMessage({ id: last, call, args, ...(stop && { stop }) } satisfies ThreadRequest);
    return answer;
  };
  return { opened, request, hasEnded: () => ended !== null };
}

/** A busy thread receives no messages, but it can read shared memory. */
function createStopFlag(signal: AbortSignal, until: Promise<unknown>): Int32Array {
  const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const set = () => void Atomics.store(stop, 0, 1);
  if (signal.aborted) set();
  signal.addEventListener('abort', set, { once: true });
  const over = () => {
    signal.removeEventListener('abort', set);
  };
  until.then(over, over);
  return stop;
}
