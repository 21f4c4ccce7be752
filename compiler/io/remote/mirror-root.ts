import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RootEntry } from '../../schema/bundle/bundle.ts';
import { refuse } from '../../schema/refusals.ts';
import { gardenFolder, openBundle, type OpenBundle } from '../bundle/open-bundle.ts';
import { isRevision, type Belief, type ProvenRoot } from '../bundle/proof.ts';
import { lock, placeFolder, sweep } from '../bundle/write-bundle.ts';
import { downloadGarden, downloadRoot, inParallel } from './download.ts';
import type { Remote } from './remote.ts';

export interface MirrorContext {
  readonly remote: Remote;
  readonly folder: string;
  readonly belief: () => Belief;
}

/** Of how many gardens files are fetched at once. */
const GARDENS_AT_ONCE = 4;

/**
 * Brings one root here, and every garden of it that is not here yet. A root that is here but does not verify is brought
 * anew; gardens that are here are not read.
 *
 * @throws bundle_not_found, bundle_unverified, file_locked, output_failed
 */
export async function mirrorRoot(context: MirrorContext, revision: string): Promise<void> {
  const { remote, folder, belief } = context;
  if (!isRevision(revision)) throw refuse('format_unknown', 'what is asked for is no root’s name');
  const here = openHere(context, revision);
  const { proven, files } = here ? { proven: here, files: null } : await downloadRoot(remote, revision, belief());
  const isHere = (entry: RootEntry) => existsSync(placeOf(folder, entry));
  const missing = proven.root.predicate.gardens.filter((it) => !isHere(it));
  await inParallel(missing, GARDENS_AT_ONCE, (it) => mirrorGarden(context, it, proven, () => isHere(it)));
  // last: a root that is here is here with all that it names
  if (files) placeWhole(folder, join(folder, 'roots', revision), files, () => openHere(context, revision) !== null);
}

/**
 * Brings one garden of a root anew where what lies here does not verify.
 *
 * @returns false where what lies here is as it was signed
 * @throws bundle_not_found, bundle_unverified, file_locked, output_failed
 */
export async function repairGarden(context: MirrorContext, revision: string, garden: string): Promise<boolean> {
  const here = openHere(context, revision);
  const isWhole = () => here !== null && verifies(here, garden);
  if (isWhole()) return false;
  const proven = here ?? (await downloadRoot(context.remote, revision, context.belief())).proven;
  const entry = proven.root.predicate.gardens.find((it) => it.garden === garden);
  if (!entry) return false;
  await mirrorGarden(context, entry, proven, isWhole);
  return true;
}

/** The root that lies here; null where none does, or none that verifies. */
function openHere({ folder, belief }: MirrorContext, revision: string): OpenBundle | null {
  try {
    return openBundle(folder, belief(), revision);
  } catch {
    return null;
  }
}

function verifies(bundle: OpenBundle, garden: string): boolean {
  try {
    bundle.readGarden(garden);
    return true;
  } catch {
    return false;
  }
}

/** @param isHere asked under the lock: another process may have been faster */
async function mirrorGarden(
  { remote, folder }: MirrorContext,
  entry: RootEntry,
  of: ProvenRoot,
  isHere: () => boolean,
) {
  placeWhole(folder, placeOf(folder, entry), await downloadGarden(remote, entry, of), isHere);
}

const placeOf = (folder: string, { garden, digest }: RootEntry) => gardenFolder(folder, garden, digest);

/** Moves proven files to their place in one step; after a power cut they are all there, or none is. */
function placeWhole(folder: string, place: string, files: ReadonlyMap<string, Buffer>, isHere: () => boolean): void {
  const unlock = lock(folder);
  try {
    if (isHere()) return;
    placeFolder(folder, place, files);
  } catch (error) {
    // a disk that is full already must not fill up with attempts
    sweep(folder);
    throw error;
  } finally {
    unlock();
  }
}
