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

/** An error that keeps its code on the way; without one it is unexpected. */
export interface SentError {
  readonly code: string | null;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The answer to a request; without an id it is something for the log. */
export type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: SentError }
  | { readonly trouble: string };

const send = (reply: Reply) => parentPort?.postMessage(reply);

/** Tells the log of the thread that started this one. */
export const reportTrouble = (error: unknown): void => send({ trouble: messageOf(error) });

/**
 * Answers the calls of the thread that started this one.
 *
 * @param end is called last
 * @param told the error that the caller is told instead
 */
export function answerCalls<Calls extends Answering<Calls>>(
  calls: Calls,
  end: () => unknown = () => null,
  told: (error: unknown) => unknown = (error) => error,
): void {
  const functions = { ...calls, end } as unknown as Record<string, (...args: readonly unknown[]) => unknown>;
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
  return { code: null, message: messageOf(error), details: {} };
}
