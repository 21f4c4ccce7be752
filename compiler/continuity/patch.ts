import type { VadeError } from '../schema/errors.ts';
import { clockFaults } from './capsule/clock.ts';
import { complete } from './capsule/complete-capsule.ts';
import { withoutNulls } from './capsule/merge.ts';
import { patchList, type PatchList } from './capsule/patch-lists.ts';
import { conflict, faultsIn, invalid, refuse, type Fault } from './capsule/refusals.ts';
import { stampEntries } from './capsule/stamp.ts';
import type { Capsule } from './schema/capsule.ts';
import type { PatchAnswer, PatchOperation, PatchRequest } from './schema/patch.ts';
import { changeableBefore, storeChanged } from './stored/change-active.ts';
import { messageFor, type MakeFallback } from './stored/persist.ts';
import type { SubjectChange, Occasion, SubjectFiles } from './stored/subject.ts';

/**
 * `POST /v1/continuity/patch`: changes single entries of lists, all of them or none. Operations see what those before
 * them did.
 *
 * @throws VadeError `capsule_not_found`, `capsule_stale`, `capsule_invalid`; `capsule_conflict` if an entry is missing
 */
export function patch(
  request: PatchRequest,
  files: SubjectFiles,
  { now }: Occasion,
  makeFallback?: MakeFallback,
): SubjectChange<PatchAnswer> {
  refuse([
    ...clockFaults(request.updated_at, 'updated_at', now),
    ...request.operations.flatMap((it, at) => operationFaults(it, at, now)),
  ]);
  const stored = changeableBefore(files, request.updated_at, now);
  const changed = request.operations.reduce(applyOperation, stored);
  const { capsule, normalizations_applied } = complete({ ...changed, updated_at: request.updated_at });
  const { writes, updated, capsule_sha256, recovery_warnings } = storeChanged(
    files,
    stampEntries(capsule, stored, now),
    now,
    makeFallback,
  );
  return {
    writes,
    message: messageFor('patch', request.subject_kind, request.subject_id, request.commit_message),
    answer: {
      ok: true,
      path: files.path,
      durable: true,
      recovery_warnings,
      updated,
      capsule_sha256,
      operations_applied: request.operations.length,
      normalizations_applied: [...normalizations_applied],
    },
  };
}

/** The members that each action needs; any other member is a misunderstanding, and refused. */
function operationFaults(operation: PatchOperation, at: number, now: number): readonly Fault[] {
  const { target, action, value, match, index } = operation;
  const list = patchList(target);
  const byIndex = action === 'replace_at' && list.keyOf === null;
  const members: [name: string, isGiven: boolean, isNeeded: boolean][] = [
    ['value', (value ?? null) !== null, action !== 'remove'],
    ['match', (match ?? null) !== null, action !== 'append' && !byIndex],
    ['index', (index ?? null) !== null, byIndex],
  ];
  const wrong = members
    .filter(([, isGiven, isNeeded]) => isGiven !== isNeeded)
    .map(([name, , isNeeded]) => ({
      field: `operations.${at}.${name}`,
      message: isNeeded ? `${action} of ${target} needs it` : `${action} of ${target} takes none`,
    }));
  const isJudged = action !== 'remove' && (value ?? null) !== null;
  const entry = isJudged ? entryFaults(list, value, at) : [];
  return [...wrong, ...entry, ...clockFaults(confirmedIn(value), `operations.${at}.value.last_confirmed_at`, now)];
}

function confirmedIn(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'last_confirmed_at' in value ? value.last_confirmed_at : null;
}

function entryFaults(list: PatchList, value: unknown, at: number): readonly Fault[] {
  const sent = withoutNulls(value);
  const issues = list.entry.safeParse(sent).error?.issues ?? [];
  const place = ['operations', at, 'value'].join('.');
  return faultsIn(issues, sent).map((it) => ({ ...it, field: it.field === '' ? place : `${place}.${it.field}` }));
}

function entryOf(list: PatchList, value: unknown): unknown {
  return list.entry.parse(withoutNulls(value));
}

function applyOperation(capsule: Capsule, operation: PatchOperation, at: number): Capsule {
  const { target, action, value } = operation;
  const list = patchList(target);
  const entries = [...list.get(capsule)];
  if (action === 'append') {
    if (entries.length >= list.most)
      throw invalid(`operations.${at}`, `${target} has ${entries.length} entries, and no more are allowed`);
    entries.push(entryOf(list, value));
  } else {
    const place = placeOf(operation, list, entries, at);
    entries.splice(place, 1);
    if (action === 'replace_at') entries.splice(place, 0, replacement(operation, list, entries, at));
  }
  return list.set(capsule, entries);
}

/** The new entry. With the key of another it would be dropped as a repetition of it. */
function replacement({ target, value }: PatchOperation, list: PatchList, others: readonly unknown[], at: number) {
  const entry = entryOf(list, value);
  const { keyOf } = list;
  const isTaken = keyOf !== null && others.some((it) => keyOf(it as never) === keyOf(entry as never).trim());
  if (isTaken) throw conflicting('another entry has the same key', target, at);
  return entry;
}

function conflicting(why: string, target: string, at: number): VadeError {
  return conflict(`operations.${at}: ${target}: ${why}`, { field: `operations.${at}`, target });
}

/** Index of the entry that an operation names. */
function placeOf(
  { target, match, index }: PatchOperation,
  { keyOf }: PatchList,
  entries: readonly unknown[],
  at: number,
): number {
  const keys = entries.map((it) => (keyOf === null ? it : keyOf(it as never)));
  const place = typeof index === 'number' ? index : keys.indexOf(match);
  if (place === -1 || place >= entries.length) throw conflicting('there is no such entry', target, at);
  // kind:value may be read in two ways
  if (keyOf !== null && keys.lastIndexOf(match) !== place) throw conflicting('more than one entry matches', target, at);
  return place;
}
