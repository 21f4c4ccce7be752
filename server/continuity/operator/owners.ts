import { existsSync, readdirSync } from 'node:fs';
import { messageOf, VadeError } from '../../../compiler/schema/errors.ts';
import { CAPSULES } from '../capsules/layout.ts';
import { applyVerb } from '../capsules/verbs.ts';
import { openReader, resultOf, type OwnerReader, type ReadCopy } from '../store/owner-reader.ts';
import { openOwner, type OwnerStore } from '../store/owner-store.ts';
import { ownerPlaceOf } from '../store/place.ts';

/** A name that is safe in a path: the UUID of an agent, or `default`. */
const OWNER = /^[a-z0-9-]{1,64}$/i;

/** The owners who have a store below a folder, by name. @throws source_not_found */
export function ownersIn(root: string): string[] {
  try {
    const names = readdirSync(root).filter((name) => name.endsWith('.git'));
    return names
      .map((name) => name.slice(0, -'.git'.length))
      .filter((name) => OWNER.test(name))
      .sort();
  } catch {
    throw new VadeError('source_not_found', `${root} is not a folder of capsules`);
  }
}

/** The place of an owner’s store. @throws capsule_not_found */
export function ownPlace(root: string, owner: string) {
  if (OWNER.test(owner) && existsSync(ownerPlaceOf(root, owner).folder)) return ownerPlaceOf(root, owner);
  throw new VadeError('capsule_not_found', `${root} has no store of ${owner}: owners are ids of agents, or default`);
}

/** Reads an owner's store at its tip, also while a server runs. @throws capsule_not_found, continuity_unavailable */
export async function reading<T>(root: string, owner: string, read: (reader: OwnerReader) => T | null): Promise<T> {
  ownPlace(root, owner);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { found, damaged } = attemptedRead(root, owner, read);
    if (found !== null) return found;
    await writing(root, owner, (store) => store.follow(damaged));
  }
  throw new VadeError('continuity_unavailable', 'the store is being written to; retry');
}

const ATTEMPTS = 5;

function attemptedRead<T>(root: string, owner: string, read: (reader: OwnerReader) => T | null): ReadCopy<T> {
  return resultOf(ownerPlaceOf(root, owner).state, () => {
    const reader = openReader(root, owner, CAPSULES);
    try {
      return read(reader);
    } finally {
      reader.end();
    }
  });
}

/**
 * Opens the store of an owner as one more of the processes that may write it.
 *
 * @throws capsule_not_found, continuity_unavailable
 */
export async function writing<T>(root: string, owner: string, work: (store: OwnerStore) => Promise<T>): Promise<T> {
  ownPlace(root, owner);
  const store = opened(() =>
    openOwner({ root, owner, apply: applyVerb, layout: CAPSULES, onTrouble: () => undefined }),
  );
  try {
    return await work(store);
  } finally {
    await store.end();
  }
}

function opened<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** A disk that is full, or only readable, is no fault of ours: what the system refuses is `continuity_unavailable`. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof VadeError || !(error instanceof Error && 'code' in error)) return error;
  const message = `the store cannot be opened for writing, which reading also needs: ${messageOf(error)}`;
  return new VadeError('continuity_unavailable', message);
}
