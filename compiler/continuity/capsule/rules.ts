import type { Draft } from '../schema/draft.ts';
import type { Fault } from './refusals.ts';

/** The rules that no schema of one field can say; a draft may break its schema too, so that all is told at once. */
export function ruleFaults(draft: Draft): readonly Fault[] {
  return [...kindFaults(draft), ...boundaryFaults(draft), ...supersessionFaults(draft)];
}

/** Preferences are of users and peers, descriptors of threads and tasks. */
function kindFaults({ subject_kind, stable_preferences, thread_descriptor }: Draft): readonly Fault[] {
  const isThread = subject_kind === 'thread' || subject_kind === 'task';
  if (isThread && listOf(stable_preferences).length > 0)
    return [{ field: 'stable_preferences', message: 'only capsules of users and peers have preferences' }];
  if (!isThread && (thread_descriptor ?? null) !== null)
    return [{ field: 'thread_descriptor', message: 'only capsules of threads and tasks have one' }];
  return [];
}

/** "the capsule must also include metadata.interaction_boundary_kind as a valid scalar value" */
function boundaryFaults({ source, metadata }: Draft): readonly Fault[] {
  if (membersOf(source)['update_reason'] !== 'interaction_boundary') return [];
  const kind = membersOf(metadata)['interaction_boundary_kind'];
  const isScalar =
    typeof kind === 'number' || typeof kind === 'boolean' || (typeof kind === 'string' && kind.trim() !== '');
  return isScalar
    ? []
    : [{ field: 'metadata.interaction_boundary_kind', message: 'say which boundary it was, as one text' }];
}

/** `supersedes` "must reference a tag in the same list with status superseded". */
function supersessionFaults({ continuity }: Draft): readonly Fault[] {
  const entries = listOf(membersOf(continuity)['rationale_entries']).map(membersOf);
  const superseded = new Set(entries.filter((it) => it['status'] === 'superseded').map((it) => it['tag']));
  return entries.flatMap(({ tag, supersedes }, at) => {
    if ((supersedes ?? null) === null || (superseded.has(supersedes) && supersedes !== tag)) return [];
    const field = `continuity.rationale_entries.${at}.supersedes`;
    return [{ field, message: 'name another entry of the list, whose status is superseded' }];
  });
}

function membersOf(value: unknown): Draft {
  return typeof value === 'object' && value !== null ? (value as Draft) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
