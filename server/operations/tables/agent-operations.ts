import { z } from 'zod';
import { HeartbeatRequest, HeartbeatResponse } from '../../../compiler/schema/api/heartbeat.ts';
import { RecallRequest, RecallResponse } from '../../../compiler/schema/api/recall.ts';
import { Closing } from '../../../compiler/schema/audit/record.ts';
import { gardenOf, ownAgent } from '../../auth/authorize.ts';
import { heartbeat, requireWoken } from '../heartbeat.ts';
import { jsonSuccess, operation } from '../operation.ts';
import { closeRecall, recallInstruction, requireAgent, requireIntent } from '../recall.ts';
import { NOTHING, value } from '../result.ts';

const HEARTBEAT_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** An optional header of a recall; a malformed value counts as absent. */
const CLAIMED_HEARTBEAT = z.object({
  'X-Heartbeat-Id': z
    .string()
    .max(128)
    .refine((it) => HEARTBEAT_ID.test(it))
    .optional()
    .catch(undefined),
});

/** Operations for agents, which write to the audit (§21.1.5, §21.8.4, §21.8.5). */
export const AGENT_OPERATIONS = {
  recallInstruction: operation({
    method: 'post',
    path: '/v1/agents/{agent_id}/recall-instruction',
    summary: 'Recall the instructions for an intent (§21.8.4)',
    access: 'agents',
    effect: 'append',
    query: z.object({ explain: z.enum(['true', 'false']).optional().catch(undefined) }),
    headers: CLAIMED_HEARTBEAT,
    body: RecallRequest,
    success: jsonSuccess('The chunks, in reading order', RecallResponse),
    errors: ['intent_required', 'audit_token_invalid', 'audit_token_expired', 'agent_not_found'],
    permit: gardenOf,
    requires: requireIntent,
    trace: 'recall',
    run: async (call, { query, headers, body }) => {
      const options = { explain: query.explain === 'true', heartbeat: headers['X-Heartbeat-Id'] };
      const { response, json } = await recallInstruction(call, body, options);
      call.services.count.answered('recall', response);
      return { kind: 'json', text: json };
    },
  }),
  heartbeat: operation({
    method: 'post',
    path: '/v1/agents/{agent_id}/heartbeat',
    summary: 'Wake up: the boot stub, and the units guaranteed for the wake reason (§21.1.5)',
    access: 'agents',
    effect: 'append',
    // §21.1.5 S1: the wake reason comes from the token alone, never from the request
    query: z.strictObject({}),
    body: HeartbeatRequest,
    bodyMayBeAbsent: true,
    success: jsonSuccess('What to read before any task', HeartbeatResponse),
    errors: [
      ...(['wake_reason_unverified', 'guaranteed_unit_unavailable'] as const),
      ...(['boot_stub_not_found', 'agent_not_found'] as const),
    ],
    permit: requireWoken,
    trace: 'heartbeat',
    run: async (call, { body }) => {
      const answer = await heartbeat(call, body);
      call.services.count.answered('heartbeat', answer);
      return value(answer);
    },
  }),
  closeRecall: operation({
    method: 'post',
    path: '/v1/instruction/audit',
    summary: 'Report which chunks were used, and which were missing (§21.8.5)',
    description:
      'Send the answer’s `audit_token`, `used_chunks`: names of the units that you used, and `missed_chunks`: what ' +
      'you needed and did not get. `nothing_fits: true` says that neither a chunk nor a candidate was it.',
    access: 'agents',
    effect: 'append',
    body: Closing,
    success: { status: 204, description: 'Recorded; a second closing changes nothing' },
    errors: ['audit_token_invalid', 'audit_token_expired', 'audit_unverified', 'agent_not_found'],
    about: (_path, identity) => ownAgent(identity),
    permit: requireAgent,
    trace: 'closing',
    run: async (call, { body }) => {
      await closeRecall(call, body);
      call.services.count.closed(body);
      return NOTHING;
    },
  }),
};
