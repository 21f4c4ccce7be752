import { Worker } from 'node:worker_threads';
import { ERRORS, messageOf, VadeError, type ErrorCode } from '../../schema/errors.ts';
import type { Answering, Reply, Request, SentError } from './thread-answers.ts';

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface ThreadOptions {
  readonly data?: unknown;
  /** The refusal of every call once the thread has ended; `cause` is what it threw. */
  readonly lost: (cause: Error | null) => Error;
  /** Called with what went wrong in the thread and was survived. */
  readonly onTrouble?: (reason: string) => void;
}

/** A thread, as the one that started it calls it. */
export interface Thread<Calls extends Answering<Calls>> {
  /** Sends a call; the function in the thread gets `isStopped` as its last argument if there is a signal. */
  readonly call: <Name extends keyof Calls & string>(
    name: Name,
    args: Parameters<Calls[Name]>,
    signal?: AbortSignal,
  ) => Promise<Awaited<ReturnType<Calls[Name]>>>;
  /** The number of calls without an answer. */
  readonly waiting: () => number;
  readonly hasEnded: () => boolean;
  /** Ends the thread after what it was sent. @throws what its `end` throws, or the refusal of an ended thread */
  readonly end: () => Promise<void>;
  /** Ends the thread at once. */
  readonly terminate: () => Promise<unknown>;
}

/**
 * Starts a program as a thread. It keeps the process alive only while a call waits: an idle thread must not, where a
 * server could not start.
 *
 * @param program the path of its source from the root, without `.ts`
 */
export function startThread<Calls extends Answering<Calls>>(program: string, options: ThreadOptions): Thread<Calls> {
  const worker = new Worker(builtFile(program), { workerData: options.data });
  worker.unref();
  const exited = new Promise<void>((resolve) => void worker.once('exit', resolve));
  const { request, ...state } = createCaller(worker, options);
  return {
    ...state,
    call: (name, args, signal) => request(name, args, signal) as Promise<Awaited<ReturnType<Calls[typeof name]>>>,
    end: async () => {
      try {
        await request('end', []);
      } finally {
        worker.ref();
        await exited;
      }
    },
    terminate: () => worker.terminate(),
  };
}

/**
 * The code of a thread. Node 20 does not run TypeScript, and a thread does not get the loader of a test run. So tests
 * use the built file, which every test run builds first (test/support/build.ts).
 */
function builtFile(program: string): URL {
  const fromSources = import.meta.url.endsWith('.ts');
  return new URL(`../../../${fromSources ? 'dist/' : ''}${program}.js`, import.meta.url);
}

/** Matches replies to requests; once the thread has ended, every request is refused. */
function createCaller(worker: Worker, { lost, onTrouble }: ThreadOptions) {
  const pending = new Map<number, Pending>();
  let last = 0;
  let cause: Error | null = null;
  let ended: Error | null = null;
  worker.on('message', (reply: Reply) => {
    if ('trouble' in reply) return onTrouble?.(reply.trouble);
    if ('fatal' in reply) return void (cause = received(reply.fatal));
    const sender = pending.get(reply.id);
    pending.delete(reply.id);
    if ('error' in reply) sender?.reject(received(reply.error));
    else sender?.resolve(reply.value);
    if (pending.size === 0) worker.unref();
  });
  // a thread that could not be loaded, or that has no memory left
  worker.on('error', (error: unknown) => (cause = error instanceof Error ? error : new Error(messageOf(error))));
  worker.on('exit', () => {
    ended = lost(cause);
    for (const { reject } of pending.values()) reject(ended);
    pending.clear();
  });
  const request = (call: string, args: readonly unknown[], signal?: AbortSignal): Promise<unknown> => {
    if (ended !== null) return Promise.reject(ended);
    const answer = new Promise<unknown>((resolve, reject) => pending.set(++last, { resolve, reject }));
    worker.ref();
    const stop = signal && createStopFlag(signal, answer);
    worker.postMessage({ id: last, call, args, ...(stop && { stop }) } satisfies Request);
    return answer;
  };
  return { request, waiting: () => pending.size, hasEnded: () => ended !== null };
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

function received({ code, message, details }: SentError): Error {
  if (code !== null && Object.hasOwn(ERRORS, code)) return new VadeError(code as ErrorCode, message, details);
  return Object.assign(new Error(message), code !== null && { code });
}
