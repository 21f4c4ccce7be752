import { parentPort } from 'node:worker_threads';
import { messageOf, VadeError } from '../../schema/errors.ts';

/** Functions that a thread answers, by name. */
export type Answering<Calls> = { readonly [Name in keyof Calls]: (...args: never[]) => unknown };

export interface Request {
  readonly id: number;
  readonly call: string;
  readonly args: readonly unknown[];
  /** Shared memory; not 0 once the caller no longer waits. */
  readonly stop?: Int32Array;
}

/**
 * An error as plain data: one of SQLite is no error of the language, and would arrive in another thread as an empty
 * object.
 */
export interface SentError {
  /** Of the table of errors, of SQLite or of the system; null for an unexpected error. */
  readonly code: string | null;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The answer to a request; without an id it is something for the log, or the error that ends the thread. */
export type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: SentError }
  | { readonly trouble: string }
  | { readonly fatal: SentError };

const send = (reply: Reply) => parentPort?.postMessage(reply);

/** Tells the log of the thread that started this one. */
export const reportTrouble = (error: unknown): void => send({ trouble: messageOf(error) });

/**
 * Answers the calls of the thread that started this one. An error that nothing catches, such as one of `open`, ends the
 * thread, and reaches its starter with its words and its code.
 *
 * @param open returns the functions; `end`, if it has one, is called last
 * @param told the error that the caller is told instead
 */
export function answerCalls<Calls extends Answering<Calls>>(
  open: () => Calls & { readonly end?: () => unknown },
  told: (error: unknown) => unknown = (error) => error,
): void {
  process.on('uncaughtException', (error) => {
    send({ fatal: toSent(error) });
    process.exit(1);
  });
  const functions = open() as unknown as Record<string, ((...args: readonly unknown[]) => unknown) | undefined>;
  const answer = async ({ id, call, args, stop }: Request) => {
    const stopping = stop ? [() => Atomics.load(stop, 0) !== 0] : [];
    try {
      if (stopping[0]?.()) throw new Error('cancelled');
      send({ id, value: await functions[call]?.(...args, ...stopping) });
    } catch (error) {
      send({ id, error: toSent(told(error)) });
    }
    if (call === 'end') parentPort?.close();
  };
  parentPort?.on('message', (request: Request) => void answer(request));
}

function toSent(error: unknown): SentError {
  if (error instanceof VadeError) return { code: error.code, message: error.message, details: error.details };
  const { code } = Object(error) as { readonly code?: unknown };
  return { code: typeof code === 'string' ? code : null, message: messageOf(error), details: {} };
}
