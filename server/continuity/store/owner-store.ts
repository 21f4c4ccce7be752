import { fileIdentity } from '../../../compiler/io/files/file.ts';
import { messageOf, VadeError } from '../../../compiler/schema/errors.ts';
import { inTurn } from '../../../compiler/schema/in-turn.ts';
import { isHistoryDamage } from '../git/damage.ts';
import { sweep } from '../git/leftovers.ts';
import { countPacks } from '../git/packs.ts';
import { ensureRepository, readTip } from '../git/repository.ts';
import { requireKnown } from '../state/store-format.ts';
import type { WriteOutcome } from './batch.ts';
import type { StoreHealth } from './health.ts';
import type { StateCopy } from './mirror.ts';
import type { Mutation, KeptMutation } from './mutation.ts';
import { ownerPlaceOf, type OwnerPlace } from './place.ts';
import { bePresent, type Presence } from './presence.ts';
import { createQueue } from './queue.ts';
import { openCopy, type CopyOptions, type RenewedCopy } from './renewed-copy.ts';

/** The store of one owner, opened by one process of perhaps several. */
export interface OwnerStore {
  /**
   * Applies a mutation to what is there when its turn comes, and resolves once it survives a loss of power.
   *
   * @throws what the verb throws, idempotency_conflict, continuity_unavailable, continuity_unusable
   */
  readonly mutate: (mutation: Mutation) => Promise<KeptMutation>;
  /**
   * Brings the state to the tip of the repository.
   *
   * @param damaged the identity of a state that could not be read: it is made again, if it is still there
   * @throws continuity_unavailable, continuity_unusable
   */
  readonly follow: (damaged?: string | null) => Promise<void>;
  readonly health: () => StoreHealth;
  readonly end: () => Promise<void>;
}

export interface OwnerOptions extends CopyOptions {
  /** The folder of all owners. */
  readonly root: string;
}

/** Opens the store of an owner, and makes it if it is not there. @throws Error if it cannot be opened */
export function openOwner(options: OwnerOptions): OwnerStore {
  const place = ownerPlaceOf(options.root, options.owner);
  // before anything is written: who is alone removes unfinished files
  const presence = bePresent(place.present);
  const copy = copyIn(place, presence, options);
  // a connection has one transaction: its users take turns
  const oneAtATime = inTurn();
  const write = batchWriter(place, (...work) => oneAtATime(() => copy.alone(...work)), options);
  const queue = createQueue(write, copy.rest);
  const followNow = async (damaged: string | null) => {
    // another caller may have met the same damage
    if (damaged !== null && damaged === fileIdentity(place.state)) await copy.discard();
    await copy.alone(
      ({ mirror }) => followKnown(mirror, options.owner),
      () => true,
    );
  };
  const follow: OwnerStore['follow'] = (damaged = null) =>
    oneAtATime(() => followNow(damaged)).catch((error: unknown) => {
      throw refusalOf(error, options);
    });
  const end = async () => {
    await queue.end();
    await copy.end();
    presence.end();
  };
  const health = () => ({ queued: queue.length(), subjects: copy.subjects(), packs: countPacks(place) });
  return { mutate: queue.add, follow, health, end };
}

/** @returns what became of each mutation, whatever happened */
function batchWriter({ folder }: OwnerPlace, alone: RenewedCopy['alone'], options: OwnerOptions) {
  return async (batch: readonly Mutation[]): Promise<readonly WriteOutcome[]> => {
    const outcomes: WriteOutcome[] = [];
    let refusal = unconfirmed();
    try {
      const tip = readTip(folder);
      // nothing of the batch is in git then
      const isUnwritten = () => outcomes.length === 0 && readTip(folder) === tip;
      await alone(async ({ writer }) => void outcomes.push(...(await writer.write(batch))), isUnwritten);
    } catch (error) {
      refusal = refusalOf(error, options);
    }
    // git has what was written: a state that could not keep it is made again before the next batch
    return batch.map((_, i) => outcomes[i] ?? { error: refusal });
  };
}

/** Creates a missing repository, repairs what it can, and opens the copy. @throws Error if it cannot be opened */
function copyIn(place: OwnerPlace, presence: Presence, options: OwnerOptions): RenewedCopy {
  try {
    ensureRepository(place.folder);
    // removes what killed processes left
    presence.ifAlone(() => {
      sweep(place);
    });
    return openCopy(place, options);
  } catch (error) {
    presence.end();
    throw error;
  }
}

/** The refusal of a caller: it says to an operator why; what git says of a passing failure is for the log alone. */
function refusalOf(error: unknown, { owner, onTrouble }: OwnerOptions): VadeError {
  const isKnown = error instanceof VadeError && error.code === 'continuity_unusable';
  if (!isKnown && !isHistoryDamage(error)) {
    onTrouble(error);
    return unconfirmed();
  }
  const damage = () => new VadeError('continuity_unusable', `the history of ${owner} is damaged: ${messageOf(error)}`);
  const refusal = isKnown ? error : damage();
  onTrouble(refusal);
  return refusal;
}

/** Follows a store of a format that this version knows. @throws continuity_unusable, what git throws */
async function followKnown({ follow, files }: StateCopy, owner: string): Promise<void> {
  const tip = await follow();
  requireKnown(files.format(), owner, tip === null);
}

function unconfirmed(): VadeError {
  return new VadeError(
    'continuity_unavailable',
    'the store has not confirmed this; retry with the same idempotency_key',
  );
}
