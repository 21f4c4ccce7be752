import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Mirror } from '../../schema/bundle/mirror.ts';
import { VadeError } from '../../schema/errors.ts';
import { refuse } from '../../schema/refusals.ts';
import { CURRENT, currentRevision, openBundle } from '../bundle/open-bundle.ts';
import { isRevision } from '../bundle/proof.ts';
import { collect, lock, sweep } from '../bundle/write-bundle.ts';
import { replaceFile } from '../files/durable.ts';
import { mirrorRoot, repairGarden, type MirrorContext } from './mirror-root.ts';
import { mirrorSidecars } from './mirror-sidecars.ts';
import type { Got, Validators } from './remote.ts';

export function openMirror(context: MirrorContext): Mirror {
  const { remote, folder, belief } = context;
  const known = new Map<string, Validators>();
  let complete: string | null = null;
  const sync = async () => {
    mkdirSync(folder, { recursive: true });
    const said = await remote.get(CURRENT, 200, complete === null ? undefined : known.get(CURRENT));
    const revision = said.kind === 'same' ? complete : said.kind === 'found' ? announced(said.bytes) : null;
    if (revision === null) throw nothing(said);
    if (revision !== complete) await mirrorRoot(context, revision);
    // until all is here: what failed half-way is asked for again, and so is a root that was damaged meanwhile
    complete = null;
    await mirrorSidecars({ remote, folder, known, open: () => openBundle(folder, belief(), revision) });
    if (said.kind === 'found') known.set(CURRENT, said.validators);
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

function nothing(said: Got): VadeError {
  const status = said.kind === 'missing' ? `: the server answers ${said.status}` : '';
  return new VadeError('bundle_not_found', `no bundle is announced there${status}`);
}

/** Untrusted: one line, and no path. */
function announced(bytes: Buffer): string {
  const revision = bytes.toString('utf8').replace(/\n$/, '');
  if (isRevision(revision)) return revision;
  throw refuse('format_unknown', 'what is announced there is no root');
}

function servedIn(folder: string): string | null {
  try {
    return currentRevision(folder);
  } catch {
    return null;
  }
}

function accept(folder: string, revision: string): void {
  if (servedIn(folder) === revision) return;
  const unlock = lock(folder);
  try {
    sweep(folder);
    replaceFile(join(folder, CURRENT), `${revision}\n`);
    collect(folder, revision);
  } finally {
    unlock();
  }
}
