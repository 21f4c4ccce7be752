import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { AuditStore, StoreOptions } from '../records/store.ts';
import { OPENED, type Done, type Opening, type Order } from './order.ts';

/**
 * Where the thread's code lies. Node 20 runs no TypeScript, and a thread does not get the loader that a test run has:
 * from sources the built file is taken, which a test run makes before anything else (test/support/build.ts).
 */
function workerFile(): URL {
  const fromSources = import.meta.url.endsWith('.ts');
  return new URL(fromSources ? '../../../dist/server/audit/sqlite/worker.js' : './worker.js', import.meta.url);
}

/**
 * The audit in one SQLite file, written by a thread of its own. Another one reads for those who evaluate it, from the
 * first time that they do: what writes is not held up by it.
 *
 * @throws Error where the file cannot be opened, or holds something else
 */
export async function openSqliteStore(path: string, options: StoreOptions): Promise<AuditStore> {
  const call = await threadFor({ path, options });
  // what takes long is added up beside what is quick
  const pages = openLater(path);
  const sums = openLater(path);
  return {
    append: (entries) => call.ask('append', [entries]),
    checkpoint: (point) => call.ask('checkpoint', [point]),
    isClosed: (token) => call.ask('isClosed', [token]),
    list: (...given) => pages.ask('list', given),
    days: (query, signal) => sums.ask('days', [query], signal),
    sums: (query, signal) => sums.ask('sums', [query], signal),
    answersAt: (places) => pages.ask('answersAt', [places]),
    archive: (documents) => call.ask('archive', [documents]),
    hasEnded: call.hasEnded,
    end: async () => {
      await Promise.all([pages.end(), sums.end()]);
      await call.end();
    },
  };
}

/** A thread that reads, from the first time that somebody asks; one that has ended is replaced by the next. */
function openLater(path: string) {
  let thread: ReturnType<typeof threadFor> | null = null;
  const end = async () => {
    const ending = thread;
    thread = null;
    await ending?.then((it) => it.end()).catch(() => undefined);
  };
  const ready = async () => {
    const known = thread;
    const hasEnded = known !== null && ((await known.catch(() => null))?.hasEnded() ?? true);
    // whoever waited for the same one may have opened another meanwhile
    if (hasEnded && thread === known) thread = null;
    return (thread ??= threadFor({ path, options: null }));
  };
  const ask = async <T>(call: Order['call'], given: readonly unknown[], signal?: AbortSignal): Promise<T> =>
    (await ready()).ask(call, given, signal);
  return { ask, end };
}

/** A thread that has the file open. @throws Error where it cannot be opened */
async function threadFor(opening: Opening) {
  const worker = new Worker(workerFile(), { workerData: opening });
  const { opened, ask, hasEnded } = caller(worker);
  await opened;
  const end = async () => {
    const ended = once(worker, 'exit');
    await ask('end', []);
    worker.ref();
    await ended;
  };
  return { ask, hasEnded, end };
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Matches answers to what was asked; once the thread is gone everything is refused. */
function caller(worker: Worker) {
  const waiting = new Map<number, Waiting>();
  let last = OPENED;
  let gone: Error | null = null;
  const asked = <T>(id: number) =>
    new Promise<T>((resolve, reject) => {
      waiting.set(id, { resolve: resolve as Waiting['resolve'], reject });
    });
  const opened = asked<undefined>(OPENED);
  const fail = (error: Error) => {
    gone ??= error;
    for (const it of waiting.values()) it.reject(gone);
    waiting.clear();
  };
  worker.on('message', ({ id, value, error }: Done) => {
    const asker = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asker?.resolve(value);
    else asker?.reject(new Error(error));
    // a server that could not start is not kept alive by the thread it has left behind
    if (waiting.size === 0) worker.unref();
  });
  worker.on('error', fail);
  worker.on('exit', () => {
    fail(new Error('the thread that writes the audit has ended'));
  });
  const ask = <T>(call: Order['call'], given: readonly unknown[], signal?: AbortSignal): Promise<T> => {
    if (gone !== null) return Promise.reject(gone);
    const answer = asked<T>(++last);
    if (waiting.size === 1) worker.ref();
    const stop = signal && stopOn(signal, answer);
    worker.postMessage({ id: last, call, given, ...(stop && { stop }) } satisfies Order);
    return answer;
  };
  return { opened, ask, hasEnded: () => gone !== null };
}

/** A thread that is busy hears no message: it looks at this. */
function stopOn(signal: AbortSignal, until: Promise<unknown>): Int32Array {
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
