import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Mirror } from '../../schema/bundle/mirror.ts';
import { VadeError } from '../../schema/errors.ts';
import { orNull } from '../../schema/or-null.ts';
import { refuse } from '../../schema/refusals.ts';
import { newestTrust } from '../bundle/newest-trust.ts';
import { CURRENT, currentRevision, openBundle } from '../bundle/open-bundle.ts';
import { isRevision } from '../bundle/prove-root.ts';
import { collect, lock } from '../bundle/write-bundle.ts';
import { replaceFile } from '../files/durable.ts';
import { removeScratch } from '../files/only-writer.ts';
import { mirrorRoot, repairGarden, type MirrorContext } from './mirror-root.ts';
import { mirrorSidecars } from './mirror-sidecars.ts';
import type { Got, Validators } from './remote.ts';

export function openMirror(context: MirrorContext): Mirror {
  const { remote, folder, belief } = context;
  const known = new Map<string, Validators>();
  let complete: string | null = null;
  const sync = async () => {
    mkdirSync(folder, { recursive: true });
    const response = await remote.get(CURRENT, 200, complete === null ? undefined : known.get(CURRENT));
    const revision = response.kind === 'same' ? complete : response.kind === 'found' ? announced(response.bytes) : null;
    if (revision === null) throw noBundleError(response);
    if (revision !== complete) await mirrorRoot(context, revision);
    // a failed sync is repeated in full, so that a root that was damaged in between is downloaded again
    complete = null;
    await mirrorSidecars({
      remote,
      folder,
      known,
      open: () => openBundle(folder, belief(), revision),
      newestTrust: (bundle) => newestTrust(bundle, belief()),
    });
    if (response.kind === 'found') known.set(CURRENT, response.validators);
    complete = revision;
    return revision;
  };
  return {
    folder,
    sync,
    fetchRoot: (revision) => mirrorRoot(context, revision),
    repair: (revision, garden) => repairGarden(context, revision, garden),
    served: () => servedIn(folder),
    accept: (revision) => {
      accept(folder, revision);
    },
  };
}

function noBundleError(response: Got): VadeError {
  const status = response.kind === 'missing' ? `: the server answers ${response.status}` : '';
  return new VadeError('bundle_not_found', `the address has no current bundle${status}`);
}

/** Untrusted input: the content of `current` must be a revision, not a path. */
function announced(bytes: Buffer): string {
  const revision = bytes.toString('utf8').replace(/\n$/, '');
  if (isRevision(revision)) return revision;
  throw refuse('format_unknown', 'the current file at the address does not name a root');
}

function servedIn(folder: string): string | null {
  return orNull(() => currentRevision(folder));
}

function accept(folder: string, revision: string): void {
  if (servedIn(folder) === revision) return;
  const unlock = lock(folder);
  try {
    removeScratch(folder);
    replaceFile(join(folder, CURRENT), `${revision}\n`);
    collect(folder, revision);
  } finally {
    unlock();
  }
}
