import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_GARDEN_BYTES, type RootEntry } from '../../schema/bundle/bundle.ts';
import { orNull } from '../../schema/or-null.ts';
import { refuse } from '../../schema/refusals.ts';
import { gardenFolder, openBundle, type OpenBundle } from '../bundle/open-bundle.ts';
import { placeFolders } from '../bundle/place-folders.ts';
import { isRevision, type Belief, type ProvenRoot } from '../bundle/prove-root.ts';
import { lock, tidy } from '../bundle/write-bundle.ts';
import { createDownloadMemory, type DownloadMemory } from './download-limits.ts';
import { bytesOf, downloadGarden, downloadRoot, downloadStatement, inParallel } from './download.ts';
import type { Remote } from './remote.ts';

export interface MirrorContext {
  readonly remote: Remote;
  readonly folder: string;
  readonly belief: () => Belief;
}

/** Number of gardens that are downloaded at once. */
const GARDENS_AT_ONCE = 4;

/**
 * Downloads one root and its missing gardens. A local root that does not verify is downloaded again; local gardens are
 * not read.
 *
 * @throws bundle_not_found, bundle_unverified, file_locked, output_failed
 */
export async function mirrorRoot(context: MirrorContext, revision: string): Promise<void> {
  const { remote, folder, belief } = context;
  if (!isRevision(revision)) throw refuse('format_unknown', 'the requested root has an invalid name');
  const here = openHere(context, revision);
  const { proven, files } = here ? { proven: here, files: null } : await downloadRoot(remote, revision, belief());
  const isHere = (entry: RootEntry) => existsSync(placeOf(folder, entry));
  const missing = [...proven.root.predicate.gardens, ...proven.beside].filter((it) => !isHere(it));
  const memory = createDownloadMemory(MAX_GARDEN_BYTES);
  await inParallel(missing, GARDENS_AT_ONCE, (it) =>
    mirrorGarden(context, it, { of: proven, memory }, () => isHere(it)),
  );
  // written last, so that a local root has all of its gardens
  if (files) placeWhole(folder, join(folder, 'roots', revision), files, () => openHere(context, revision) !== null);
}

/**
 * Downloads one garden of a root again if the local one does not verify.
 *
 * @returns false if the local garden verifies
 * @throws bundle_not_found, bundle_unverified, file_locked, output_failed
 */
export async function repairGarden(context: MirrorContext, revision: string, garden: string): Promise<boolean> {
  const here = openHere(context, revision);
  const isWhole = () => here !== null && verifies(here, garden);
  if (isWhole()) return false;
  const proven = here ?? (await downloadRoot(context.remote, revision, context.belief())).proven;
  const entry = [...proven.root.predicate.gardens, ...proven.beside].find((it) => it.garden === garden);
  if (!entry) return false;
  await mirrorGarden(context, entry, { of: proven, memory: createDownloadMemory(MAX_GARDEN_BYTES) }, isWhole);
  return true;
}

/** The local root; null if there is none, or it does not verify. */
function openHere({ folder, belief }: MirrorContext, revision: string): OpenBundle | null {
  return orNull(() => openBundle(folder, belief(), revision));
}

function verifies(bundle: OpenBundle, garden: string): boolean {
  try {
    bundle.readGarden(garden);
    return true;
  } catch {
    return false;
  }
}

/** @param isHere called under the lock, since another process may have been faster */
async function mirrorGarden(
  { remote, folder }: MirrorContext,
  entry: RootEntry,
  { of, memory }: { readonly of: ProvenRoot; readonly memory: DownloadMemory },
  isHere: () => boolean,
) {
  const listed = await downloadStatement(remote, entry, of);
  await memory.hold(bytesOf(listed), async () => {
    placeWhole(folder, placeOf(folder, entry), await downloadGarden(remote, listed), isHere);
  });
}

const placeOf = (folder: string, { garden, digest }: RootEntry) => gardenFolder(folder, garden, digest);

/** Moves verified files into place atomically: after a power failure all of them exist, or none. */
function placeWhole(folder: string, place: string, files: ReadonlyMap<string, Buffer>, isHere: () => boolean): void {
  const unlock = lock(folder);
  try {
    if (isHere()) return;
    placeFolders(folder, [{ place, files: () => files }]);
  } catch (error) {
    // do not fill a full disk with failed attempts
    tidy(folder);
    throw error;
  } finally {
    unlock();
  }
}
