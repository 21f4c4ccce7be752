import { VadeError } from '../../../compiler/schema/errors.ts';
import { sweep } from '../git/leftovers.ts';
import { countPacks } from '../git/packs.ts';
import { ensureRepository } from '../git/repository.ts';
import type { Layout } from '../state/files.ts';
import { openState, removeDamaged, StateBusy, type StateFile } from '../state/state-file.ts';
import { requireKnown } from '../state/store-format.ts';
import type { WriteOutcome } from './batch.ts';
import type { StoreHealth } from './health.ts';
import { mirrorOf, type StateCopy } from './mirror.ts';
import type { Mutation, KeptMutation } from './mutation.ts';
import { ownerPlaceOf, type OwnerPlace } from './place.ts';
import { bePresent, type Presence } from './presence.ts';
import { createQueue } from './queue.ts';
import { createWriter, type WriterOptions } from './writer.ts';

/** The store of one owner, opened by one process of perhaps several. */
export interface OwnerStore {
  /**
   * Applies a mutation to what is there when its turn comes, and resolves once it survives a loss of power.
   *
   * @throws what the verb throws, idempotency_conflict, continuity_unavailable
   */
  readonly mutate: (mutation: Mutation) => Promise<KeptMutation>;
  /** Brings the state to the tip of the repository. @throws continuity_unavailable */
  readonly follow: () => Promise<void>;
  readonly health: () => StoreHealth;
  readonly end: () => Promise<void>;
}

export interface OwnerOptions extends WriterOptions {
  /** The folder of all owners. */
  readonly root: string;
  readonly layout: Layout;
}

/** Maximum time that a batch waits for other processes, in milliseconds. */
const LOCK_MS = 4000;

/** Opens the store of an owner, and makes it if it is not there. @throws Error if it cannot be opened */
export function openOwner(options: OwnerOptions): OwnerStore {
  const place = ownerPlaceOf(options.root, options.owner);
  // before anything is written: who is alone removes unfinished files
  const presence = bePresent(place.present);
  const state = stateOf(place, presence);
  const mirror = mirrorOf(place, state, options.layout);
  const writer = createWriter(place, mirror, options);
  /** @returns what became of each, whatever happened */
  const write = async (batch: readonly Mutation[]): Promise<readonly WriteOutcome[]> => {
    const outcomes: WriteOutcome[] = [];
    let refusal = unconfirmed();
    try {
      await state.alone(LOCK_MS, async () => void outcomes.push(...(await writer.write(batch))));
    } catch (error) {
      options.onTrouble(error);
      if (isRefusal(error)) refusal = error;
    }
    // git has what was written: a state that could not keep it is made again before the next batch
    return batch.map((_, i) => outcomes[i] ?? { error: refusal });
  };
  const queue = createQueue(write, writer.rest);
  const follow = () =>
    state
      .alone(LOCK_MS, () => followKnown(mirror, options.owner))
      .catch((error: unknown) => {
        options.onTrouble(error);
        if (isRefusal(error)) throw error;
        throw error instanceof StateBusy
          ? unconfirmed()
          : new VadeError('continuity_unavailable', 'the store cannot be read');
      });
  const end = async () => {
    await queue.end();
    await writer.end();
    state.end();
    presence.end();
  };
  const health = () => ({ queued: queue.length(), subjects: mirror.files.subjects(), packs: countPacks(place) });
  return { mutate: queue.add, follow, health, end };
}

/** Creates a missing repository, repairs what it can, and opens the state. @throws Error if it cannot be opened */
function stateOf(place: OwnerPlace, presence: Presence): StateFile {
  try {
    ensureRepository(place.folder);
    presence.ifAlone(() => {
      mend(place);
    });
    return openState(place.state);
  } catch (error) {
    presence.end();
    throw error;
  }
}

/** Whether it says why, to whoever asks; what git says is for the log. */
function isRefusal(error: unknown): error is VadeError {
  return error instanceof VadeError && error.code === 'continuity_unavailable';
}

/** Follows a store of a format that this version knows. @throws continuity_unavailable, what git throws */
async function followKnown({ follow, files }: StateCopy, owner: string): Promise<void> {
  const tip = await follow();
  requireKnown(files.format(), owner, tip === null);
}

/** Removes what killed processes left, and a state that cannot be read; git has what it had. */
function mend({ folder, state }: OwnerPlace): void {
  sweep({ folder });
  removeDamaged(state);
}

function unconfirmed(): VadeError {
  return new VadeError(
    'continuity_unavailable',
    'the store has not confirmed this; retry with the same idempotency_key',
  );
}
