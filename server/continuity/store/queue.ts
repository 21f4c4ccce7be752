import { VadeError } from '../../../compiler/schema/errors.ts';
import type { WriteOutcome } from './batch.ts';
import type { Mutation, KeptMutation } from './mutation.ts';

/** Mutations that one checkpoint makes durable. */
const BATCH = 64;

/** Maximum wait of a mutation for its turn, in milliseconds; with its batch it ends before its operation does. */
const PATIENCE_MS = 3000;

/** After so many milliseconds without a change git ends. */
const IDLE_MS = 5000;

interface Queued {
  readonly mutation: Mutation;
  /** When its caller waits no longer; `performance.now()`. */
  readonly until: number;
  readonly resolve: (written: KeptMutation) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes what has queued while the last batch was written; there is no timer to wait for.
 *
 * @param write answers each of a batch, whatever happened
 * @param rest called after a while without a mutation
 */
export function createQueue(
  write: (batch: readonly Mutation[]) => Promise<readonly WriteOutcome[]>,
  rest: () => Promise<void>,
) {
  const queue: Queued[] = [];
  let writing = 0;
  let working: Promise<void> | null = null;
  let idle: NodeJS.Timeout | undefined;
  const work = async (): Promise<void> => {
    while (queue.length > 0) {
      await gather(queue);
      const batch = takeBatch(queue).filter(isAwaited);
      writing = batch.length;
      const outcomes = await write(batch.map((it) => it.mutation));
      writing = 0;
      for (const [i, outcome] of outcomes.entries()) answer(batch[i], outcome);
    }
    working = null;
    idle = setTimeout(() => void (working ??= rest().finally(begin)), IDLE_MS).unref();
  };
  const begin = () => {
    working = queue.length > 0 ? work() : null;
  };
  const add = (mutation: Mutation) =>
    new Promise<KeptMutation>((resolve, reject) => {
      clearTimeout(idle);
      queue.push({ mutation, resolve, reject, until: performance.now() + PATIENCE_MS });
      if (working === null) begin();
    });
  const end = async () => {
    while (working !== null) await working;
    clearTimeout(idle);
  };
  return { add, length: () => queue.length + writing, end };
}

/** Waits while more arrive: those who were answered together send again together, and one checkpoint is for all. */
async function gather(queue: readonly Queued[]): Promise<void> {
  for (let before = -1; queue.length > before && queue.length < BATCH;) {
    before = queue.length;
    for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Turns of the event loop without another mutation, after which a batch begins. */
const TURNS = 3;

/** Refuses a mutation whose caller was answered that it took too long. */
function isAwaited({ until, reject }: Queued): boolean {
  if (performance.now() < until) return true;
  reject(new VadeError('continuity_unavailable', 'nothing was written: the store was busy for too long; retry'));
  return false;
}

function answer(queued: Queued | undefined, outcome: WriteOutcome): void {
  if ('written' in outcome) queued?.resolve(outcome.written);
  else queued?.reject(outcome.error);
}

/** The first mutations; the second of two with one idempotency key waits for the first. */
function takeBatch(queue: Queued[]): Queued[] {
  const keys = new Set<string>();
  const until = queue.findIndex(({ mutation: { key } }, i) => {
    if (i >= BATCH || (key !== null && keys.has(key.key))) return true;
    if (key !== null) keys.add(key.key);
    return false;
  });
  return queue.splice(0, until === -1 ? queue.length : until);
}
