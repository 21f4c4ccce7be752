import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import type { BuildThreads, ThreadWork } from '../gardens/threads/build-threads.ts';
import { startThread } from '../io/process/thread-calls.ts';

/** Number of jobs queued for a thread, so that it is never idle; with more, the compile would wait for it. */
const WAITING = 6;

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

const lost = (cause: Error | null) => cause ?? new Error('a worker thread of the compile ended unexpectedly');

function startThreads(count: number): BuildThreads {
  const threads = Array.from({ length: count }, () => startThread<ThreadWork>('compiler/app/build-worker', { lost }));
  async function ask<Name extends keyof ThreadWork>(work: Name, ...question: Parameters<ThreadWork[Name]>) {
    // answers that are there already are received first: a compile that has enough to do would never look
    await setImmediate();
    const idlest = threads.reduce((least, it) => (it.waiting() < least.waiting() ? it : least));
    return idlest.waiting() < WAITING ? idlest.call(work, question) : null;
  }
  const hasModel = (name: string | null) => name === null || name === 'builtin';
  return {
    judge: async (question) => (hasModel(question.model) ? ask('judge', question) : null),
    index: async (question) => (hasModel(question.model) ? ask('index', question) : null),
    screen: async (texts) => ask('screen', texts),
    room: count * WAITING,
    end: async () => {
      await Promise.all(threads.map((it) => it.terminate()));
    },
  };
}
