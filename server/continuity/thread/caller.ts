import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ArtefactChange, ChangedArtefact } from '../../../compiler/continuity/coordination/change.ts';
import type { ScheduleCommand } from '../../../compiler/continuity/schedule/command.ts';
import type { ScheduleOccasion } from '../../../compiler/continuity/schedule/item.ts';
import { ERRORS, VadeError, type ErrorCode } from '../../../compiler/schema/errors.ts';
import type { ThreadHealth } from '../store/health.ts';
import type { Mutation, Written } from '../store/mutation.ts';
import type { ScheduleReply, SentError, ThreadOptions, ThreadReply, ThreadRequest, ThreadValue } from './messages.ts';

/** The thread that writes, as the main thread calls it. */
export interface WriterThread {
  readonly mutate: (owner: string, mutation: Mutation) => Promise<Written>;
  readonly coordinate: (change: ArtefactChange) => Promise<ChangedArtefact>;
  readonly follow: (owner: string) => Promise<void>;
  /** Changes a schedule; without a command it is only made, if there is none. */
  readonly schedule: (
    owner: string,
    command: ScheduleCommand | null,
    occasion: ScheduleOccasion,
  ) => Promise<ScheduleReply>;
  readonly health: () => Promise<ThreadHealth>;
  readonly hasEnded: () => boolean;
  readonly end: () => Promise<void>;
}

/**
 * The code of the thread. Node 20 does not run TypeScript, and a thread does not get the loader of a test run. So tests
 * use the built file, which every test run builds first (test/support/build.ts).
 */
function workerFile(): URL {
  const fromSources = import.meta.url.endsWith('.ts');
  return new URL(fromSources ? '../../../dist/server/continuity/thread/worker.js' : './worker.js', import.meta.url);
}

interface Pending {
  readonly resolve: (value: ThreadValue) => void;
  readonly reject: (error: Error) => void;
}

/** @param onTrouble called with what went wrong and was survived */
export function startThread(options: ThreadOptions, onTrouble: (reason: string) => void): WriterThread {
  const worker = new Worker(workerFile(), { workerData: options });
  const { request, hasEnded } = createCaller(worker, onTrouble);
  worker.unref();
  return {
    mutate: async (owner, mutation) => (await request({ call: 'mutate', owner, mutation })) as Written,
    coordinate: async (change) => (await request({ call: 'coordinate', change })) as ChangedArtefact,
    follow: async (owner) => {
      await request({ call: 'follow', owner });
    },
    schedule: async (owner, command, occasion) =>
      (await request({ call: 'schedule', owner, command, occasion })) as ScheduleReply,
    health: async () => (await request({ call: 'health' })) as ThreadHealth,
    hasEnded,
    end: async () => {
      if (hasEnded()) return;
      const exited = once(worker, 'exit');
      await request({ call: 'end' }).catch(() => undefined);
      worker.ref();
      await exited;
    },
  };
}

/** Matches replies to requests; once the thread has ended, every request is refused. */
function createCaller(worker: Worker, onTrouble: (reason: string) => void) {
  const waiting = new Map<number, Pending>();
  let last = 0;
  let ended = false;
  const fail = () => {
    ended = true;
    for (const { reject } of waiting.values()) reject(lost());
    waiting.clear();
  };
  const answer = (reply: Exclude<ThreadReply, { readonly trouble: string }>) => {
    const sender = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('error' in reply) sender?.reject(received(reply.error));
    else sender?.resolve(reply.value);
    // an idle thread must not keep a process alive whose server could not start
    if (waiting.size === 0) worker.unref();
  };
  worker.on('message', (reply: ThreadReply) => {
    if ('trouble' in reply) onTrouble(reply.trouble);
    else answer(reply);
  });
  worker.on('error', (error) => {
    onTrouble(error.message);
  });
  worker.on('exit', fail);
  const request = (asked: Unnumbered) =>
    new Promise<ThreadValue>((resolve, reject) => {
      if (ended) {
        reject(lost());
        return;
      }
      last += 1;
      waiting.set(last, { resolve, reject });
      worker.ref();
      worker.postMessage({ ...asked, id: last });
    });
  return { request, hasEnded: () => ended };
}

type Unnumbered = ThreadRequest extends infer R ? (R extends ThreadRequest ? Omit<R, 'id'> : never) : never;

function received({ code, message, details }: SentError): Error {
  return code !== null && Object.hasOwn(ERRORS, code)
    ? new VadeError(code as ErrorCode, message, details)
    : new Error(message);
}

function lost(): VadeError {
  return new VadeError('continuity_unavailable', 'the store has not confirmed this: its thread has ended; retry');
}
