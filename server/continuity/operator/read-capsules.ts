import { candidateFor } from '../../../compiler/continuity/candidate.ts';
import { changedFields } from '../../../compiler/continuity/capsule/changed-fields.ts';
import { list, listedIn } from '../../../compiler/continuity/list.ts';
import { read } from '../../../compiler/continuity/read.ts';
import type { Capsule } from '../../../compiler/continuity/schema/capsule.ts';
import type { CapsuleDraft } from '../../../compiler/continuity/schema/draft.ts';
import type { CapsuleSummary, UnreadableCapsule } from '../../../compiler/continuity/schema/list.ts';
import type { ReadAnswer } from '../../../compiler/continuity/schema/reading/read.ts';
import { loadActive, loadArchive, loadFallback, type Loaded } from '../../../compiler/continuity/stored/load.ts';
import { requireActive } from '../../../compiler/continuity/stored/resolve.ts';
import type { StoredSubject } from '../../../compiler/continuity/stored/subject.ts';
import { VadeError } from '../../../compiler/schema/errors.ts';
import { git } from '../git/read-history.ts';
import type { HeldFiles } from '../state/files.ts';
import { ownersIn, ownPlace, reading } from './owners.ts';

/** Folder of the capsules, and the time of the view. */
export interface View {
  readonly root: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A capsule of an owner, as lists show it. */
export interface OwnedCapsule extends CapsuleSummary {
  readonly owner: string;
}

/** The capsules of owners, and the files that cannot be read. */
export interface OwnedCapsules {
  readonly capsules: readonly OwnedCapsule[];
  readonly unreadable: readonly (UnreadableCapsule & Pick<OwnedCapsule, 'owner'>)[];
}

/**
 * The capsules of one owner, or of all, by owner and name.
 *
 * @param owner null for all
 * @throws source_not_found, capsule_not_found for an owner without a store, continuity_unavailable
 */
export async function listCapsules(
  { root, now }: View,
  { owner, archived }: { readonly owner: string | null; readonly archived: boolean },
  archiveDays: number,
): Promise<OwnedCapsules> {
  const found: OwnedCapsule[] = [];
  const damaged: (UnreadableCapsule & { owner: string })[] = [];
  for (const it of owner === null ? ownersIn(root) : [owner]) {
    const files = await reading(root, it, (reader) => reader.list(false));
    const request = { limit: files.length, include_archived: archived };
    const { capsules, unreadable } = list(request, listedIn(files), { now, archiveDays });
    found.push(...capsules.map((row) => ({ ...row, owner: it })));
    damaged.push(...unreadable.map((row) => ({ ...row, owner: it })));
  }
  return { capsules: found, unreadable: damaged };
}

/** A capsule with its startup view, and the paths of its archives. */
export interface ShownCapsule {
  readonly answer: ReadAnswer;
  readonly archives: readonly string[];
}

/** @throws capsule_not_found if nothing is held of the subject, continuity_unavailable */
export async function showCapsule({ root, now }: View, owner: string, subject: StoredSubject): Promise<ShownCapsule> {
  const files = await heldOf(root, owner, subject);
  const answer = read({ ...subject, allow_fallback: true, view: 'startup' }, files, { now });
  const archives = [...files.archives.keys()].sort();
  if (answer.capsule === null && archives.length === 0)
    throw new VadeError('capsule_not_found', `${owner} has no capsule of that subject`);
  return { answer, archives };
}

/** The other side of a comparison with an active capsule. */
export type Against = { readonly candidate: CapsuleDraft } | { readonly version: string };

/**
 * The fields in which the active capsule differs: from a candidate, from its fallback, from an archive by its path, or
 * from the capsule as a commit had it.
 *
 * @throws capsule_not_found, capsule_damaged, capsule_invalid, continuity_unavailable
 */
export async function compareCapsule({ root, now }: View, owner: string, subject: StoredSubject, against: Against) {
  const files = await heldOf(root, owner, subject);
  const active = requireActive(files);
  const other =
    'candidate' in against
      ? candidateFor(against.candidate, subject, active, now)
      : readable(against.version, await versionOf(root, owner, files, against.version));
  return { path: files.path, changed_fields: changedFields(active, other) };
}

function heldOf(
  root: string,
  owner: string,
  { subject_kind: kind, subject_id: id }: StoredSubject,
): Promise<HeldFiles> {
  return reading(root, owner, (reader) => reader.held({ kind, id }));
}

const COMMIT = /^[0-9a-f]{7,40}$/;

async function versionOf(root: string, owner: string, files: HeldFiles, version: string): Promise<Loaded<Capsule>> {
  if (version === 'fallback') return loadFallback(files.path, files.fallback);
  const archive = files.archives.get(version);
  if (archive) {
    const loaded = loadArchive(archive);
    return loaded.ok ? { ok: true, value: loaded.value.capsule } : loaded;
  }
  if (!COMMIT.test(version))
    throw new VadeError('capsule_not_found', `${version} is neither an archive of it nor a commit`);
  return loadActive(files.path, await fileAt(root, owner, version, files.path));
}

function fileAt(root: string, owner: string, commit: string, path: string): Promise<Buffer> {
  return git(ownPlace(root, owner), ['cat-file', 'blob', `${commit}:${path}`]).catch(() => {
    throw new VadeError('capsule_not_found', `the history has no ${commit}:${path}`);
  });
}

function readable(version: string, loaded: Loaded<Capsule>): Capsule {
  if (loaded.ok) return loaded.value;
  throw new VadeError('capsule_damaged', `${version} cannot be read: ${loaded.reason}`);
}
