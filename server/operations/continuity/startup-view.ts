import { read } from '../../../compiler/continuity/read.ts';
import { STARTUP_CAPS } from '../../../compiler/continuity/schema/graph/caps.ts';
import type { ReadAnswer, ReadRequest } from '../../../compiler/continuity/schema/reading/read.ts';
import type { Call } from '../call.ts';
import { held } from './capsule-calls.ts';
import { graphAround, scheduleAround } from './surroundings.ts';

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
