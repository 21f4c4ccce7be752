import { damaged, notFound } from '../capsule/refusals.ts';
import type { Capsule } from '../schema/capsule.ts';
import type { RecoveryWarning } from '../schema/warnings.ts';
import type { SourceState } from '../schema/words.ts';
import { loadActive, loadFallback } from './load.ts';
import type { SubjectFiles } from './subject.ts';

/** The capsule of a subject, and how it was found. */
export interface Resolved {
  readonly capsule: Capsule | null;
  readonly source_state: SourceState;
  readonly recovery_warnings: readonly RecoveryWarning[];
}

/** The active capsule. @throws VadeError `capsule_not_found`, `capsule_damaged` */
export function requireActive({ path, active, fallback }: SubjectFiles): Capsule {
  if (active === null) throw notFound(path);
  const loaded = loadActive(path, active);
  if (loaded.ok) return loaded.value;
  const hint = loadFallback(path, fallback).ok ? '; read it with allow_fallback: true for what was last written' : '';
  throw damaged(path, `${loaded.reason}${hint}`);
}

/** The active capsule; where it is missing or invalid, its fallback; where there is none either, nothing. */
export function resolve({ path, active, fallback }: SubjectFiles): Resolved {
  const loaded = active === null ? null : loadActive(path, active);
  if (loaded?.ok === true) return { capsule: loaded.value, source_state: 'active', recovery_warnings: [] };
  const why = loaded === null ? 'continuity_active_missing' : 'continuity_active_invalid';
  const last = loadFallback(path, fallback);
  return last.ok
    ? { capsule: last.value, source_state: 'fallback', recovery_warnings: [why, 'continuity_fallback_used'] }
    : { capsule: null, source_state: 'missing', recovery_warnings: [why, 'continuity_fallback_missing'] };
}
