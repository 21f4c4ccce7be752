import { expect } from 'vitest';
import { complete, encode } from '../../compiler/continuity/capsule/complete-capsule.ts';
import { Capsule } from '../../compiler/continuity/schema/capsule.ts';
import { UpsertRequest } from '../../compiler/continuity/schema/upsert.ts';
import type { SubjectKind } from '../../compiler/continuity/schema/words.ts';
import { activePath, fallbackPath } from '../../compiler/continuity/stored/paths.ts';
import { persist } from '../../compiler/continuity/stored/persist.ts';
import type { SubjectChange, SubjectFiles } from '../../compiler/continuity/stored/subject.ts';
import { upsert } from '../../compiler/continuity/upsert.ts';
import { VadeError, type ErrorCode } from '../../compiler/schema/errors.ts';

/** Monday, 23 November 2026, noon. */
export const NOW = Date.parse('2026-11-23T12:00:00Z');
export const OCCASION = { now: NOW, owner: 'assistant' };

/** The time some seconds before `NOW`; after it, if negative. */
export const ago = (seconds: number): string => new Date(NOW - seconds * 1000).toISOString().replace('.000Z', 'Z');

export type Json = Readonly<Record<string, unknown>>;

/** The state of a capsule that says nothing but what it must. */
export const STATE = {
  top_priorities: ['ship the store'],
  active_concerns: ['the disk is nearly full'],
  active_constraints: ['no schema change before Friday'],
  open_loops: ['who reviews the worker?'],
  stance_summary: 'finish the model before the routes, and keep both small',
  drift_signals: ['more tools than tests'],
};

/** A complete capsule of one subject; the minimum that is valid, and what a test changes. */
export function capsuleOf(more: Json = {}, state: Json = {}) {
  return {
    subject_kind: 'thread' as SubjectKind,
    subject_id: 'store',
    updated_at: ago(60),
    verified_at: ago(120),
    source: { producer: 'assistant', update_reason: 'manual' },
    continuity: { ...STATE, ...state },
    confidence: { continuity: 0.8, relationship_model: 0.5 },
    ...more,
  };
}

/** An upsert of a capsule, as a door hands it in. */
export function upsertOf(capsule: Json, more: Json = {}): UpsertRequest {
  const { subject_kind, subject_id } = capsule;
  return UpsertRequest.parse({ subject_kind, subject_id, capsule, ...more });
}

/** Files of a subject that nobody has written yet. */
export function noFiles(kind: SubjectKind = 'thread', id = 'store'): SubjectFiles {
  return { path: activePath(kind, id, () => false), active: null, fallback: null, archives: new Map() };
}

/** Files of a subject after a change. */
export function applied(files: SubjectFiles, { writes }: Pick<SubjectChange<unknown>, 'writes'>): SubjectFiles {
  const at = (path: string, before: Buffer | null) => (writes.has(path) ? (writes.get(path) ?? null) : before);
  const archives = new Map(files.archives);
  for (const [path, bytes] of writes) {
    if (!path.includes('/archive/')) continue;
    if (bytes) archives.set(path, bytes);
    else archives.delete(path);
  }
  return {
    path: files.path,
    active: at(files.path, files.active),
    fallback: at(fallbackPath(files.path), files.fallback),
    archives,
  };
}

/** Files of a subject after a capsule was written into an empty store. */
export function stored(more: Json = {}, state: Json = {}): SubjectFiles {
  return filesOf(capsuleOf(more, state));
}

/** The same; what a capsule says of its verification and its health stands there as if a verb had judged it. */
export function filesOf(capsule: ReturnType<typeof capsuleOf>): SubjectFiles {
  const files = noFiles(capsule.subject_kind, capsule.subject_id);
  const written = applied(files, upsert(upsertOf(capsule), files, OCCASION));
  const { verification_state, capsule_health } = complete(capsule).capsule;
  const judged = { ...(verification_state && { verification_state }), ...(capsule_health && { capsule_health }) };
  if (Object.keys(judged).length === 0) return written;
  const whole = Capsule.parse({ ...jsonOf(written.active), ...judged });
  return applied(files, persist(files.path, whole, encode(whole), NOW));
}

/** The JSON of stored bytes. */
export const jsonOf = (bytes: Buffer | null | undefined): Json => JSON.parse(String(bytes)) as Json;

/** An object without some of its members. */
export const without = (value: unknown, ...keys: string[]): Json =>
  Object.fromEntries(Object.entries(value as Json).filter(([key]) => !keys.includes(key)));

/** Expects a refusal by its code, and returns its details. */
export function refused(code: ErrorCode, run: () => unknown): Readonly<Record<string, unknown>> {
  try {
    run();
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(VadeError);
    expect((thrown as VadeError).code).toBe(code);
    return (thrown as VadeError).details;
  }
  throw new Error(`nothing was refused; expected ${code}`);
}

/** The codes that the model refuses with; the tests of this folder bring each about. */
export const CONTINUITY_CODES: readonly ErrorCode[] = [
  'capsule_invalid',
  'capsule_not_found',
  'capsule_stale',
  'capsule_conflict',
  'capsule_damaged',
];

/** Whether a capsule is stored. */
export function isStored(more: Json, state: Json = {}, request: Json = {}): boolean {
  try {
    const capsule = capsuleOf(more, state);
    upsert(upsertOf(capsule, request), noFiles(capsule.subject_kind, capsule.subject_id), OCCASION);
    return true;
  } catch {
    return false;
  }
}
