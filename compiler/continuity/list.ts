import { byText } from '../trust/canonical.ts';
import { millisecondsOf } from './capsule/clock.ts';
import { phaseOf } from './capsule/freshness.ts';
import { bySalience, salienceMetadata, type Ranked } from './capsule/salience.ts';
import { healthOf, isAdequate, verificationOf } from './capsule/state-of.ts';
import type { Capsule } from './schema/capsule.ts';
import { LIST_ROWS } from './schema/limits.ts';
import type { CapsuleRow, CapsuleSummary, ListAnswer, ListRequest, UnreadableCapsule } from './schema/list.ts';
import { loadActive, loadArchive, loadFallback, type Loaded } from './stored/load.ts';
import { activeOf, kindAt, stateAt, type ArtifactState } from './stored/paths.ts';

/** `COGNIRELAY_CONTINUITY_RETENTION_ARCHIVE_DAYS`, if nothing else is set. */
export const ARCHIVE_DAYS = 90;

const DAY = 24 * 60 * 60 * 1000;
const STATE_ORDER = ['active', 'fallback', 'archived', 'cold'];

/** The time of a list, and the number of days after which an archive is stale. */
export interface ListOccasion {
  readonly now: number;
  readonly archiveDays: number;
}

/** The row of a stored file; null if it is none of a capsule, or holds none that can be read. */
export function summaryOf(path: string, bytes: Buffer): CapsuleRow | null {
  const state = stateAt(path);
  if (state === null) return null;
  const loaded = loadAt(path, state, bytes);
  return loaded.ok ? rowOf(path, state, loaded.value) : null;
}

/**
 * A file of a capsule that has no row, because it cannot be read; null if it is none of a capsule.
 *
 * @param id of the subject, as far as its other files tell it
 */
function unreadableAt(path: string, id: string | null): UnreadableCapsule | null {
  const state = stateAt(path);
  return state && { path, artifact_state: state, subject_kind: kindAt(path), subject_id: id };
}

/** A capsule, and when it was archived. */
interface Held {
  readonly capsule: Capsule;
  readonly archived_at: string | null;
}

/** The content of a file, judged by its place. */
export function loadAt(path: string, state: ArtifactState, bytes: Buffer): Loaded<Held> {
  if (state === 'archived') return loadArchive(bytes);
  const loaded = state === 'active' ? loadActive(path, bytes) : loadFallback(activeOf(path), bytes);
  return loaded.ok ? { ok: true, value: { capsule: loaded.value, archived_at: null } } : loaded;
}

function rowOf(path: string, state: ArtifactState, { capsule, archived_at }: Held): CapsuleRow {
  const health = healthOf(capsule);
  return {
    subject_kind: capsule.subject_kind,
    subject_id: capsule.subject_id,
    path,
    artifact_state: state,
    updated_at: capsule.updated_at,
    verified_at: capsule.verified_at,
    archived_at,
    verification_kind: capsule.verification_kind ?? null,
    verification_status: verificationOf(capsule),
    strongest_signal: capsule.verification_state?.strongest_signal ?? null,
    freshness: capsule.freshness ?? null,
    health_status: health.status,
    health_reasons: health.reasons,
    resume_adequate: isAdequate(capsule),
    stable_preference_count: capsule.stable_preferences.length,
    rationale_entry_count: capsule.continuity.rationale_entries.length,
    thread_descriptor: capsule.thread_descriptor ?? null,
  };
}

/** A file as a store lists it. */
interface ListedFile {
  readonly path: string;
  /** Its row; null for a file that cannot be read. */
  readonly summary: unknown;
  readonly holder: string | null;
}

/** The rows of files, and those files that have none because they cannot be read. */
export function listedIn(files: readonly ListedFile[]): Listed {
  return {
    rows: files.flatMap(({ summary }) => (summary === null ? [] : [summary as CapsuleRow])),
    unreadable: files.flatMap(({ path, summary, holder }) => {
      const file = summary === null ? unreadableAt(path, holder) : null;
      return file === null ? [] : [file];
    }),
  };
}

/** The sources of a list. */
export interface Listed {
  readonly rows: readonly CapsuleRow[];
  readonly unreadable: readonly UnreadableCapsule[];
}

/**
 * `POST /v1/continuity/list`: the rows that pass every filter, by name or by salience, at most `limit`; and the files
 * that cannot be read, of which no filter but kind and place knows anything.
 */
export function list(request: ListRequest, { rows, unreadable }: Listed, occasion: ListOccasion): ListAnswer {
  const damaged = unreadable.filter((it) => isAsked(request, it)).slice(0, request.limit ?? LIST_ROWS.default);
  return { ...listReadable(request, rows, occasion), unreadable: damaged };
}

type Readable = Omit<ListAnswer, 'unreadable'>;

function listReadable(request: ListRequest, rows: readonly CapsuleRow[], occasion: ListOccasion): Readable {
  const found = rows.filter((row) => isAsked(request, row) && hasDescriptor(request, row));
  const limit = request.limit ?? LIST_ROWS.default;
  if (request.sort !== 'salience') {
    const capsules = [...found].sort(byName).slice(0, limit);
    return answerOf(capsules.map((row) => summary(row, occasion)));
  }
  const ranked = bySalience(found, rankedOf, occasion.now).slice(0, limit);
  const metadata = salienceMetadata(ranked.map(([, salience]) => salience));
  return {
    ...answerOf(ranked.map(([row, salience]) => ({ ...summary(row, occasion), salience }))),
    salience_metadata: metadata,
  };
}

function answerOf(capsules: CapsuleSummary[]): Readable {
  return { ok: true, count: capsules.length, capsules, content_kind: 'agent_authored' };
}

function isAsked(
  request: ListRequest,
  { subject_kind, artifact_state }: Pick<UnreadableCapsule, 'subject_kind' | 'artifact_state'>,
): boolean {
  if ((request.subject_kind ?? subject_kind) !== subject_kind) return false;
  if (artifact_state === 'fallback') return request.include_fallback === true;
  if (artifact_state === 'archived') return request.include_archived === true;
  return artifact_state === 'active';
}

/** Filters of the descriptor; several have to match together, kind and value of an anchor in one entry. */
function hasDescriptor(request: ListRequest, { thread_descriptor: its }: CapsuleRow): boolean {
  const { lifecycle, scope_anchor, keyword, label_exact, anchor_kind, anchor_value } = request;
  const given = [lifecycle, scope_anchor, keyword, label_exact, anchor_kind, anchor_value];
  if (given.every((it) => (it ?? null) === null)) return true;
  if (!its) return false;
  const passes = <T>(asked: T | null | undefined, has: (value: T) => boolean): boolean =>
    asked === null || asked === undefined || has(asked);
  return (
    passes(lifecycle, (it) => its.lifecycle === it) &&
    passes(scope_anchor, (it) => its.scope_anchors.includes(it.trim())) &&
    passes(keyword, (it) => its.keywords.includes(it.trim())) &&
    passes(label_exact, (it) => its.label === it) &&
    passes(anchor_kind, (kind) =>
      its.identity_anchors.some((it) => it.kind === kind && passes(anchor_value, (value) => it.value === value)),
    )
  );
}

function summary(row: CapsuleRow, { now, archiveDays }: ListOccasion): CapsuleSummary {
  return {
    subject_kind: row.subject_kind,
    subject_id: row.subject_id,
    path: row.path,
    updated_at: row.updated_at,
    verified_at: row.verified_at,
    verification_kind: row.verification_kind,
    freshness_class: row.freshness?.freshness_class ?? null,
    phase: phaseOf({ verified_at: row.verified_at, freshness: row.freshness ?? undefined }, now),
    verification_status: row.verification_status,
    health_status: row.health_status,
    health_reasons: row.health_reasons,
    artifact_state: row.artifact_state,
    retention_class: retentionOf(row, now - archiveDays * DAY),
    archived_at: row.archived_at,
    stable_preference_count: row.stable_preference_count,
    rationale_entry_count: row.rationale_entry_count,
    thread_descriptor: row.thread_descriptor,
    resume_adequate: row.resume_adequate,
  };
}

/** An archive whose time cannot be read counts as stale: nobody can say that it is recent. */
function retentionOf(
  { artifact_state, archived_at }: CapsuleRow,
  staleBefore: number,
): CapsuleSummary['retention_class'] {
  if (artifact_state !== 'archived') return artifact_state;
  const at = millisecondsOf(archived_at);
  return at === null || at < staleBefore ? 'archive_stale' : 'archive_recent';
}

function byName(a: CapsuleRow, b: CapsuleRow): number {
  return (
    byText(a.subject_kind, b.subject_kind) ||
    byText(a.subject_id, b.subject_id) ||
    STATE_ORDER.indexOf(a.artifact_state) - STATE_ORDER.indexOf(b.artifact_state) ||
    byText(a.path, b.path)
  );
}

function rankedOf(row: CapsuleRow): Ranked {
  return { ...row, freshness: row.freshness ?? undefined, lifecycle: row.thread_descriptor?.lifecycle ?? null };
}
