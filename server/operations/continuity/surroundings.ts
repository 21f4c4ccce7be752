import { graphContext, graphWithoutAnchor, suppressedGraph } from '../../../compiler/continuity/graph/graph-context.ts';
import { anchorAmong, failureIn, type GraphSources } from '../../../compiler/continuity/graph/sources.ts';
import { read } from '../../../compiler/continuity/read.ts';
import { dueQuery, scheduleContext } from '../../../compiler/continuity/schedule/context.ts';
import { MOST_TASKS, STARTUP_CAPS, type GraphCaps } from '../../../compiler/continuity/schema/graph/caps.ts';
import type { GraphContext, TaskLinks } from '../../../compiler/continuity/schema/graph/graph.ts';
import type { ReadAnswer, ReadRequest } from '../../../compiler/continuity/schema/reading/read.ts';
import type { ScheduleContext, ScheduleWarning } from '../../../compiler/continuity/schema/schedule/answers.ts';
import type { StoredSubject, SubjectFiles } from '../../../compiler/continuity/stored/subject.ts';
import { hasNamespace } from '../../auth/permits.ts';
import type { Call } from '../call.ts';
import { continuityOf, held, ownerOf } from './capsule-calls.ts';

/** The input for a graph. */
interface GraphRequest {
  /** The first subject that can be the anchor is the anchor. */
  readonly subjects: readonly StoredSubject[];
  readonly caps: GraphCaps;
  readonly allowFallback: boolean;
  /** Whether `continuity_mode` is off. */
  readonly isOff?: boolean;
}

/** The graph around the first thread or task of a request. What goes wrong is a warning in it. */
export async function graphAround(call: Call, request: GraphRequest): Promise<GraphContext> {
  const { subjects, caps, allowFallback, isOff = false } = request;
  if (isOff) return suppressedGraph(caps);
  const anchor = anchorAmong(subjects);
  if ('unsupported' in anchor) return graphWithoutAnchor(anchor.unsupported, caps);
  const subject = { subject_kind: anchor.kind, subject_id: anchor.subject_id };
  const mayRead = (namespace: Parameters<typeof hasNamespace>[1]) => hasNamespace(call.identity, namespace);
  return graphContext(anchor, await sourcesOf(call, subject), { mayRead, allowFallback }, caps);
}

async function sourcesOf(call: Call, subject: StoredSubject): Promise<GraphSources> {
  const nothing: SubjectFiles = { path: '', active: null, fallback: null, archives: new Map() };
  try {
    const rows = await continuityOf(call).links(ownerOf(call), MOST_TASKS + 1);
    const files = await held(call, subject);
    const tasks = rows.flatMap(({ summary }) => (summary === null ? [] : [summary as TaskLinks]));
    return { tasks, files, failure: failureIn(rows.map(({ path }) => path)) };
  } catch {
    return { tasks: [], files: nothing, failure: 'unknown' };
  }
}

/** Items that are due for some subjects, and soon will be. A schedule that cannot be read keeps no capsule back. */
export async function scheduleAround(
  call: Call,
  subjects: readonly StoredSubject[],
  now: number,
): Promise<ScheduleContext> {
  const { schedule } = continuityOf(call);
  const none = (warning: ScheduleWarning) =>
    scheduleContext({ due: [], upcoming: [], warnings: [warning] }, schedule.settings, now);
  if (!hasNamespace(call.identity, 'schedule')) return none('schedule_source_denied');
  try {
    const query = dueQuery(subjects, schedule.settings, now);
    const { found, warnings } = await schedule.read(ownerOf(call), now, (it) => it.due(query));
    return scheduleContext({ ...found, warnings: [...warnings, ...found.warnings] }, schedule.settings, now);
  } catch {
    return none('schedule_db_unavailable');
  }
}

/**
 * A capsule; in the startup view with the links of its subject and with its due items, once the reading itself has
 * succeeded. "Non-startup continuity reads remain graph-free."
 *
 * @throws capsule_not_found, capsule_damaged, continuity_unavailable, continuity_disabled
 */
export async function readWithSurroundings(call: Call, request: ReadRequest): Promise<ReadAnswer> {
  const now = call.services.now();
  const answer = read(request, await held(call, request), { now });
  if (request.view !== 'startup') return answer;
  const { subject_kind, subject_id, allow_fallback } = request;
  const subjects = [{ subject_kind, subject_id }];
  return {
    ...answer,
    graph_summary: await graphAround(call, { subjects, caps: STARTUP_CAPS, allowFallback: allow_fallback === true }),
    schedule_context: await scheduleAround(call, subjects, now),
  };
}
