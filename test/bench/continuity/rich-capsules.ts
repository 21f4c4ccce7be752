import { randomBytes } from 'node:crypto';
import { capsuleOf, upsertOf } from '../../continuity/capsules.ts';

/** Texts of an agent's usual length. */
export const words = (count: number) =>
  Array.from({ length: count }, () => randomBytes(57).toString('base64url').slice(0, 76));

/** About ten kilobytes, as a rich capsule has. @param at milliseconds since 1970 */
export function richUpsertAt(id: string, at: number) {
  const updated_at = new Date(at).toISOString();
  const rationale_entries = words(6).map((tag) => {
    const [summary = '', ...more] = words(8);
    const about = { kind: 'decision', status: 'active', summary, reasoning: more.slice(0, 6).join(' ') };
    return { tag, ...about, alternatives_considered: more.slice(0, 2) };
  });
  const lists = {
    top_priorities: words(8),
    active_constraints: words(8),
    open_loops: words(8),
    working_hypotheses: words(5),
  };
  return upsertOf(capsuleOf({ subject_id: id, updated_at }, { ...lists, rationale_entries }));
}
