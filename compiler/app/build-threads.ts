import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { BuildThreads, ThreadWork } from '../gardens/threads/build-threads.ts';

/** A question with the number of its answer. */
export type NumberedQuestion = {
  [Name in keyof ThreadWork]: {
    readonly id: number;
    readonly work: Name;
    readonly question: Parameters<ThreadWork[Name]>[0];
  };
}[keyof ThreadWork];

/** The answer of a thread, or why there is none. */
export type NumberedAnswer =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: string };

/** Number of jobs queued for a thread, so that it is never idle; with more, the compile would wait for it. */
const WAITING = 6;

/** The code of a thread; from sources, the built one: a thread does not get the loader of a test run. */
function workerFile(): URL {
  const fromSources = import.meta.url.endsWith('.ts');
  return new URL(fromSources ? '../../dist/compiler/app/build-worker.js' : './build-worker.js', import.meta.url);
}

/** A thread takes memory, and each loads the model. */
const MOST = 8;

/** Number of useful threads: one for each processor but that of the compile itself, so none on a single processor. */
export const threadsFor = (processors: number): number => Math.max(0, Math.min(MOST, processors - 1));

/**
 * Starts threads that work beside a compile. They have the built-in model only: any other one takes too much memory to
 * be loaded several times.
 *
 * @returns undefined for no threads
 */
export function startBuildThreads(count: number = threadsFor(availableParallelism())): BuildThreads | undefined {
  return count === 0 ? undefined : startThreads(count);
}

function startThreads(count: number): BuildThreads {
  const threads = Array.from({ length: count }, startThread);
  async function ask<Name extends keyof ThreadWork>(work: Name, question: Parameters<ThreadWork[Name]>[0]) {
    type Answer = Awaited<ReturnType<ThreadWork[Name]>>;
    // answers that are there already are received first: a compile that has enough to do would never look
    await setImmediate();
    const idlest = threads.reduce((least, it) => (it.waiting() < least.waiting() ? it : least));
    return idlest.waiting() < WAITING ? ((await idlest.ask(work, question)) as Answer) : null;
  }
  const hasModel = (name: string | null) => name === null || name === 'builtin';
  return {
    judge: async (question) => (hasModel(question.model) ? ask('judge', question) : null),
    index: async (question) => (hasModel(question.model) ? ask('index', question) : null),
    screen: async (texts) => ask('screen', texts),
    room: count * WAITING,
    end: async () => {
      await Promise.all(threads.map((it) => it.end()));
    },
  };
}

function startThread() {
  const worker = new Worker(workerFile());
  const pending = new Map<number, { resolve: (answer: unknown) => void; reject: (error: Error) => void }>();
  let asked = 0;
  const fail = (error: Error) => {
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  };
  worker.on('message', (reply: NumberedAnswer) => {
    const waiting = pending.get(reply.id);
    pending.delete(reply.id);
    if ('answer' in reply) waiting?.resolve(reply.answer);
    else waiting?.reject(new Error(reply.error));
  });
  worker.on('error', fail);
  worker.on('exit', () => {
    fail(new Error('a worker thread of the compile ended unexpectedly'));
  });
  return {
    waiting: () => pending.size,
    ask: (work: keyof ThreadWork, question: unknown) =>
      new Promise<unknown>((resolve, reject) => {
        const id = asked++;
        pending.set(id, { resolve, reject });
        worker.postMessage({ id, work, question });
      }),
    end: () => worker.terminate(),
  };
}
