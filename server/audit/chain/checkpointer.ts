import type { Checkpoint } from '../../../compiler/schema/audit/checkpoint.ts';
import type { ChainHead, SignedPoint } from '../records/store.ts';

/** Signs a statement about a chain. @returns a DSSE envelope */
export type SignCheckpoint = (point: Checkpoint) => string;

/** Entries per segment; its end is signed. */
export const SEGMENT = 1000;

/** Longest time until a grown chain is signed, in milliseconds. */
const EVERY_MS = 60_000;

export interface Checkpointer {
  /** Reports the new head of the chain. */
  readonly saw: (head: ChainHead) => void;
  /** Signs the head of the chain. */
  readonly end: () => Promise<void>;
}

/** A point in a chain, signed. */
export function signPoint(
  kind: Checkpoint['kind'],
  { writer, n, hash }: ChainHead,
  at: number,
  sign: SignCheckpoint,
): SignedPoint {
  return { writer, n, hash, at, envelope: sign({ kind, writer, n, hash, at }) };
}

/** Signs a chain's head at every segment, on a timer, and at the end; retries if the store fails. */
export function createCheckpointer(
  keep: (point: SignedPoint) => Promise<void>,
  sign: SignCheckpoint,
  now: () => number,
  onError: (error: Error) => void,
): Checkpointer {
  let head: ChainHead | null = null;
  let last = 0;
  let busy = false;
  const signHead = async () => {
    if (head === null || head.n === last || busy) return;
    busy = true;
    try {
      const point = signPoint('checkpoint', head, now(), sign);
      await keep(point);
      last = point.n;
    } catch (error) {
      onError(error as Error);
    } finally {
      busy = false;
    }
  };
  const timer = setInterval(() => void signHead(), EVERY_MS);
  timer.unref();
  return {
    saw: (seen) => {
      head = seen;
      if (head.n - last >= SEGMENT) void signHead();
    },
    end: async () => {
      clearInterval(timer);
      await signHead();
    },
  };
}
