import { suppressedGraph } from '../../compiler/continuity/graph/graph-context.ts';
import { retrieve, selectorsOf, type RetrieveOccasion } from '../../compiler/continuity/retrieve.ts';
import { CONTEXT_CAPS } from '../../compiler/continuity/schema/graph/caps.ts';
import { RetrieveRequest, type RetrieveAnswer } from '../../compiler/continuity/schema/reading/retrieve.ts';
import type { SubjectFiles } from '../../compiler/continuity/stored/subject.ts';
import { ago, capsuleOf, filesOf, NOW, type Json } from './capsules.ts';
import { richOf } from './rich.ts';

/** A retrieval of these capsules, by selectors. */
export function retrieved(held: readonly SubjectFiles[], more: Json = {}, occasion: Partial<RetrieveOccasion> = {}) {
  const selectors = held.map((it) => {
    const [, kind = '', id = ''] = /\/(user|peer|thread|task)-(.*)\.json$/.exec(it.path) ?? [];
    return { subject_kind: kind, subject_id: id };
  });
  const request = RetrieveRequest.parse({
    task: 'go on',
    continuity_selectors: selectors,
    continuity_max_capsules: 4,
    ...more,
  });
  const found = selectorsOf(request).map((subject) => ({
    subject,
    files: held.find((it) => it.path.endsWith(`/${subject.subject_kind}-${subject.subject_id}.json`))!,
  }));
  const graph_context = suppressedGraph(CONTEXT_CAPS);
  return retrieve(request, found, { now: NOW, around: { graph_context }, ...occasion });
}

export const stateOf = (answer: RetrieveAnswer) => answer.bundle.continuity_state;

/** A rich thread, a rich task and a rich user. */
export const THREE = [richOf('thread', 'store'), richOf('task', 'review'), richOf('user', 'ann')].map(filesOf);

/** Files of a thread in a store. */
export const thread = (id: string, more: Json = {}) => filesOf(capsuleOf({ subject_id: id, ...more }));

export const idsOf = (answer: RetrieveAnswer) => stateOf(answer).capsules.map((it) => it['subject_id']);

export const health = (status: string) => ({ capsule_health: { status, last_checked_at: ago(9) } });
