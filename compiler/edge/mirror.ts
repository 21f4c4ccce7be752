import { existsSync, mkdirSync, openSync, closeSync, fsyncSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RootEntry } from '../model/bundle.ts';
import { VadeError } from '../model/errors.ts';
import { refuse } from '../model/refusal.ts';
import type { Mirror } from '../model/mirror.ts';
import { CURRENT, currentRevision, gardenFolder, openBundle } from './bundle.ts';
import { collect, lock, placeFolder, sweep } from './bundlewriter.ts';
import { replaceFile } from './besidewriter.ts';
import { mirrorBeside } from './mirrorbeside.ts';
import { downloadGarden, downloadRoot, inParallel } from './download.ts';
import { isRevision, type Belief } from './proof.ts';
import type { Got, Remote, Validators } from './remote.ts';

export interface MirrorOptions {
  readonly remote: Remote;
  readonly folder: string;
  readonly belief: () => Belief;
}

/** Of how many gardens files are fetched at once. */
const GARDENS_AT_ONCE = 4;

export function openMirror({ remote, folder, belief }: MirrorOptions): Mirror {
  const known = new Map<string, Validators>();
  let complete: string | null = null;
  const fetchRoot = async (revision: string) => {
    if (!isRevision(revision)) throw refuse('format_unknown', 'what is asked for is no root’s name');
    const place = join(folder, 'roots', revision);
    const isHere = existsSync(place);
    const { proven, files } = isHere
      ? { proven: openBundle(folder, belief(), revision), files: null }
      : await downloadRoot(remote, revision, belief());
    const missing = proven.root.predicate.gardens.filter((it) => !existsSync(placeOf(folder, it)));
    await inParallel(missing, GARDENS_AT_ONCE, async (entry) => {
      placeWhole(folder, placeOf(folder, entry), await downloadGarden(remote, entry, proven));
    });
    // last: a root that is here is here with all that it names
    if (files) placeWhole(folder, place, files);
  };
  const sync = async () => {
    mkdirSync(folder, { recursive: true });
    const said = await remote.get(CURRENT, 200, complete === null ? undefined : known.get(CURRENT));
    const revision = said.kind === 'same' ? complete : said.kind === 'found' ? announced(said.bytes) : null;
    if (revision === null) throw nothing(said);
    if (revision !== complete) await fetchRoot(revision);
    await mirrorBeside({ remote, folder, known, open: () => openBundle(folder, belief(), revision) });
    // only now: what failed half-way is asked for again
    if (said.kind === 'found') known.set(CURRENT, said.validators);
    complete = revision;
    return revision;
  };
  return {
    folder,
    sync,
    fetchRoot,
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
    replaceFile(join(folder, CURRENT), Buffer.from(`${revision}\n`));
    collect(folder, revision);
  } finally {
    unlock();
  }
}

const placeOf = (folder: string, { garden, digest }: RootEntry) => gardenFolder(folder, garden, digest);

/** Moves proven files to their place in one step; after a power cut they are all there, or none is. */
function placeWhole(folder: string, place: string, files: ReadonlyMap<string, Buffer>): void {
  const unlock = lock(folder);
  try {
    if (existsSync(place)) return;
    placeFolder(folder, place, (scratch) => {
      for (const [name, bytes] of files) writeDurably(join(scratch, name), bytes);
    });
  } finally {
    unlock();
  }
}

function writeDurably(path: string, bytes: Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'wx');
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
