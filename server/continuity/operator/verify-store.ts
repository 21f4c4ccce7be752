import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadAt } from '../../../compiler/continuity/list.ts';
import type { Loaded } from '../../../compiler/continuity/stored/load.ts';
import { stateAt } from '../../../compiler/continuity/stored/paths.ts';
import { openDatabase } from '../../../compiler/io/files/sqlite.ts';
import { messageOf, VadeError } from '../../../compiler/schema/errors.ts';
import { everyArtefact } from '../coordination/artefact-table.ts';
import { COORDINATION, coordinationPath } from '../coordination/format.ts';
import { changedFiles, git, readBlobs, type ChangedFile } from '../git/read-history.ts';
import { readTip } from '../git/repository.ts';
import { readRecords } from '../state/record-file.ts';
import { STATE } from '../state/state-schema.ts';
import { FORMAT_PATH, requireKnown } from '../state/store-format.ts';
import { ownerPlaceOf, type OwnerPlace } from '../store/place.ts';
import { ownersIn } from './owners.ts';

/** Something that is not as it has to be. */
export interface Problem {
  /** The file, or the path in a repository. */
  readonly where: string;
  readonly what: string;
}

/** The verified objects, as numbers, and the problems. */
export interface VerifiedStore {
  readonly owners: number;
  readonly commits: number;
  /** Files of the newest commits. */
  readonly files: number;
  readonly artefacts: number;
  readonly databases: number;
  readonly problems: readonly Problem[];
}

/**
 * Looks at everything below a folder of capsules, while servers may run: every object of git, every file of the newest
 * commits, whether each copy shows what its repository has, every page of every database, every artefact.
 *
 * @throws source_not_found, git_unavailable
 */
export async function verifyStore(root: string): Promise<VerifiedStore> {
  const problems: Problem[] = [];
  const owners = ownersIn(root);
  let [commits, files] = [0, 0];
  for (const owner of owners) {
    const found = await verifyOwner(ownerPlaceOf(root, owner), `${owner}.git`);
    problems.push(...found.problems);
    commits += found.commits;
    files += found.files;
  }
  const databases = readdirSync(root).filter((name) => name.endsWith('.db'));
  for (const name of databases) problems.push(...verifyPages(join(root, name)).map((what) => ({ where: name, what })));
  const coordination = verifyArtefacts(root);
  problems.push(...coordination.problems);
  return {
    ...{ owners: owners.length, commits, files, databases: databases.length },
    ...{ artefacts: coordination.artefacts, problems },
  };
}

async function verifyOwner(place: OwnerPlace, name: string) {
  const problems: Problem[] = [];
  try {
    await git(place, ['fsck', '--full', '--no-dangling', '--no-progress']);
  } catch (error) {
    if (error instanceof VadeError && error.code === 'git_unavailable') throw error;
    problems.push({ where: name, what: `git fsck: ${messageOf(error)}` });
  }
  try {
    const tip = readTip(place.folder);
    if (tip === null) return { problems, commits: 0, files: 0 };
    const commits = Number(await git(place, ['rev-list', '--count', tip, '--']));
    const files = await changedFiles(place, null, tip);
    await verifyFormat(place, files);
    problems.push(...(await verifyFiles(place, files)).map((it) => ({ ...it, where: `${name}: ${it.where}` })));
    problems.push(...resultOfCopy(place, tip, files).map((what) => ({ where: name.replace(/git$/, 'db'), what })));
    return { problems, commits, files: files.length };
  } catch (error) {
    return { problems: [...problems, { where: name, what: messageOf(error) }], commits: 0, files: 0 };
  }
}

/** @throws continuity_unusable for a store of another format */
async function verifyFormat(place: OwnerPlace, files: readonly ChangedFile[]): Promise<void> {
  const blob = files.find(({ path }) => path === FORMAT_PATH)?.blob ?? null;
  const bytes = blob === null ? null : ((await readBlobs(place, [blob])).get(blob) ?? null);
  requireKnown(bytes, place.owner, false);
}

async function verifyFiles(place: OwnerPlace, files: readonly ChangedFile[]): Promise<Problem[]> {
  const blobs = await readBlobs(place, [...new Set(files.flatMap(({ blob }) => blob ?? []))]);
  return files.flatMap(({ path, blob }) => {
    const bytes = blobs.get(blob ?? '');
    if (bytes === undefined) return [{ where: path, what: 'is missing or too large' }];
    const loaded = loadedAt(path, bytes);
    return loaded === null || loaded.ok ? [] : [{ where: path, what: loaded.reason }];
  });
}

/** Null for a file that belongs to no capsule. */
function loadedAt(path: string, bytes: Buffer): Loaded<unknown> | null {
  const state = stateAt(path);
  return state && loadAt(path, state, bytes);
}

function resultOfCopy(...of: Parameters<typeof verifyCopy>): string[] {
  try {
    return verifyCopy(...of);
  } catch (error) {
    return [`${messageOf(error)}: the server makes it again from git`];
  }
}

/** A copy that is behind follows at the next reading; one that claims the tip has to be the tip. */
function verifyCopy({ state }: OwnerPlace, tip: string, files: readonly ChangedFile[]): string[] {
  const db = readRecords(state, STATE);
  if (db === null) return [];
  try {
    const copied = db.transaction(() => ({
      tip: db.prepare("SELECT value FROM meta WHERE name = 'tip'").pluck().get(),
      rows: db.prepare('SELECT path, blob FROM files').all() as { path: string; blob: string }[],
    }))();
    if (copied.tip !== tip) return [];
    const held = new Map(copied.rows.map((it) => [it.path, it.blob]));
    const differs = files.some(({ path, blob }) => held.get(path) !== blob) || held.size !== files.length;
    return differs ? ['the copy differs from its repository: delete it, and the server makes it again'] : [];
  } finally {
    db.close();
  }
}

function verifyPages(path: string): string[] {
  try {
    const db = openDatabase(path, { readonly: true, fileMustExist: true });
    try {
      const said = db.pragma('integrity_check(1)', { simple: true });
      return said === 'ok' ? [] : [`integrity_check: ${String(said)}`];
    } finally {
      db.close();
    }
  } catch (error) {
    return [messageOf(error)];
  }
}

function verifyArtefacts(root: string): { readonly artefacts: number; readonly problems: readonly Problem[] } {
  const where = 'coordination.db';
  try {
    const db = readRecords(coordinationPath(root), COORDINATION);
    if (db === null) return { artefacts: 0, problems: [] };
    try {
      const problems: Problem[] = [];
      let artefacts = 0;
      for (const { id, fault } of everyArtefact(db)) {
        artefacts += 1;
        if (fault !== null) problems.push({ where: `${where}: ${id}`, what: fault });
      }
      return { artefacts, problems };
    } finally {
      db.close();
    }
  } catch (error) {
    return { artefacts: 0, problems: [{ where, what: messageOf(error) }] };
  }
}
