import type { ReadAnswer } from '../../continuity/schema/reading/read.ts';

/** A row of the index of capsules. */
interface CapsuleRow {
  readonly owner: string;
  readonly subject_kind: string;
  readonly subject_id: string;
  readonly state: string;
  readonly lifecycle: string | null;
  readonly phase: string;
  readonly health: string;
  readonly updated_at: string;
}

/** A capsule of a list as one line. */
export function capsuleLine(it: CapsuleRow): string {
  const { owner, subject_kind, subject_id, state, lifecycle, phase, health, updated_at } = it;
  return [owner, subject_kind, subject_id, lifecycle ?? state, phase, health, updated_at].join('  ');
}

/** A file that cannot be read as one line. */
export function unreadableLine({ owner, path }: { readonly owner: string; readonly path: string }): string {
  return `${owner}  ${path}  cannot be read: vade continuity verify says why`;
}

/** A capsule as lines: where it comes from, its archives, then its JSON. */
export function shownLines(answer: ReadAnswer, archives: readonly string[]): string[] {
  return [
    `${answer.source_state}  ${answer.path}`,
    ...answer.recovery_warnings.map((it) => `warning: ${it}`),
    ...archives.map((it) => `archived  ${it}`),
    ...JSON.stringify(answer.capsule, null, 2).split('\n'),
  ];
}
