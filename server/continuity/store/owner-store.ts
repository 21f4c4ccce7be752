import { VadeError } from '../../../compiler/schema/errors.ts';
import { sweep } from '../git/packs.ts';
import { ensureRepository } from '../git/repository.ts';
import type { Layout } from '../state/files.ts';
import { openState, removeDamaged, StateBusy } from '../state/state-file.ts';
import type { Outcome } from './batch.ts';
import { mirrorOf } from './mirror.ts';
import type { Mutation, Written } from './mutation.ts';
import { placeOf } from './place.ts';
import { bePresent } from './presence.ts';
import { createWriter, type WriterOptions } from './writer.ts';

/** The store of one owner, opened by one process of perhaps several. */
export interface OwnerStore {
  /**
   * Applies a mutation to what is there when its turn comes, and resolves once it survives a loss of power.
   *
   * @throws what the verb throws, idempotency_conflict, continuity_unavailable
   */
  readonly mutate: (mutation: Mutation) => Promise<Written>;
  /** Brings the state to the tip of the repository. @throws continuity_unavailable */
  readonly follow: () => Promise<void>;
  readonly end: () => Promise<void>;
}

export interface OwnerOptions extends WriterOptions {
  /** The folder of all owners. */
  readonly root: string;
  readonly layout: Layout;
}

/** Mutations that one checkpoint makes durable. */
const BATCH = 64;

/** How long a batch waits for other processes, in milliseconds. */
const LOCK_MS = 4000;

/** How long a mutation may wait for its turn, in milliseconds; with its batch it ends before its operation does. */
const PATIENCE_MS = 3000;

/** After so many milliseconds without a change git ends. */
const IDLE_MS = 5000;

/** Opens the store of an owner, and makes it if it is not there. @throws Error if it cannot be opened */
export function openOwner(options: OwnerOptions): OwnerStore {
  const place = placeOf(options.root, options.owner);
  ensureRepository(place.folder);
  const presence = bePresent(place.present);
  presence.ifAlone(() => {
    mend(place);
  });
  const state = openState(place.state);
  const mirror = mirrorOf(place, state, options.layout);
  const writer = createWriter(place, mirror, options);
  /** @returns what became of each, whatever happened */
  const write = async (batch: readonly Mutation[]): Promise<readonly Outcome[]> => {
    const outcomes: Outcome[] = [];
    let refusal = unconfirmed();
    try {
      await state.alone(LOCK_MS, async () => void outcomes.push(...(await writer.write(batch))));
    } catch (error) {
      options.onTrouble(error);
      if (error instanceof VadeError && error.code === 'continuity_unavailable') refusal = error;
    }
    // git has what was written: a state that could not keep it is made again before the next batch
    return batch.map((_, i) => outcomes[i] ?? { error: refusal });
  };
  const queue = createQueue(write, writer.rest);
  const follow = async () => {
    try {
      await state.alone(LOCK_MS, () => mirror.follow());
    } catch (error) {
      options.onTrouble(error);
      throw error instanceof StateBusy
        ? unconfirmed()
        : new VadeError('continuity_unavailable', 'the store cannot be read');
    }
  };
  const end = async () => {
    await queue.end();
    await writer.end();
    state.end();
    presence.end();
  };
  return { mutate: queue.add, follow, end };
}

/** Removes what killed processes left, and a state that cannot be read; git has what it had. */
function mend({ folder, state }: ReturnType<typeof placeOf>): void {
  sweep({ folder });
  removeDamaged(state);
}

function unconfirmed(): VadeError {
  return new VadeError(
    'continuity_unavailable',
    'the store has not confirmed this; retry with the same idempotency_key',
  );
}

interface Queued {
  readonly mutation: Mutation;
  /** When its caller waits no longer; `performance.now()`. */
  readonly until: number;
  readonly resolve: (written: Written) => void;
  readonly reject: (error: unknown) => void;
}

/** Writes what has queued while the last batch was written; there is no timer to wait for. */
function createQueue(write: (batch: readonly Mutation[]) => Promise<readonly Outcome[]>, rest: () => Promise<void>) {
  const queue: Queued[] = [];
  let working: Promise<void> | null = null;
  let idle: NodeJS.Timeout | undefined;
  const work = async (): Promise<void> => {
    while (queue.length > 0) {
      await gather(queue);
      const batch = takeBatch(queue).filter(isAwaited);
      const outcomes = await write(batch.map((it) => it.mutation));
      for (const [i, outcome] of outcomes.entries()) answer(batch[i], outcome);
    }
    working = null;
    idle = setTimeout(() => void (working ??= rest().finally(begin)), IDLE_MS).unref();
  };
  const begin = () => {
    working = queue.length > 0 ? work() : null;
  };
  const add = (mutation: Mutation) =>
    new Promise<Written>((resolve, reject) => {
      clearTimeout(idle);
      queue.push({ mutation, resolve, reject, until: performance.now() + PATIENCE_MS });
      if (working === null) begin();
    });
  const end = async () => {
    while (working !== null) await working;
    clearTimeout(idle);
  };
  return { add, end };
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

function answer(queued: Queued | undefined, outcome: Outcome): void {
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
