import { projectionOf } from '../../../../compiler/continuity/coordination/handoff.ts';
import {
  HandoffAnswer,
  HandoffConsumeAnswer,
  HandoffConsumeRequest,
  HandoffCreateAnswer,
  HandoffCreateRequest,
  HandoffListAnswer,
  HandoffQuery,
} from '../../../../compiler/continuity/schema/coordination/handoff.ts';
import { requireActive } from '../../../../compiler/continuity/stored/resolve.ts';
import { requirePermit } from '../../../auth/permits.ts';
import { jsonSuccess, operation } from '../../operation.ts';
import { value } from '../../result.ts';
import { held, requireOwner } from '../capsule-calls.ts';
import { STORE_ERRORS } from '../contracts.ts';
import { change, listing, peerOf, readingOne } from './calls.ts';
import { CHANGE_ERRORS, CHANGED, CREATE_ERRORS, created, READ_ERRORS, READS, SAID, WRITES } from './contract.ts';

/** Operations on handoffs from one agent to another. */
export const HANDOFF_OPERATIONS = {
  createHandoff: operation({
    ...WRITES,
    path: '/v1/coordination/handoff/create',
    summary: 'Hand a subject over to one other agent: only its constraints and drift signals are sent',
    body: HandoffCreateRequest,
    success: { ...jsonSuccess('The handoff', HandoffCreateAnswer), created: 'The handoff' },
    errors: [...CREATE_ERRORS, 'capsule_not_found', 'capsule_damaged'],
    permit: (call) => {
      requireOwner(call);
      // the content of a handoff is read from a capsule
      requirePermit(call.identity, { scope: 'continuity:read', namespace: 'continuity' });
    },
    run: async (call, { body }) => {
      const recipient_peer = peerOf(call, body.recipient_peer);
      const shared_continuity = projectionOf(requireActive(await held(call, body)));
      const request = { ...body, recipient_peer, shared_continuity };
      const { value: handoff } = await change(call, 'handoff', null, { verb: 'createHandoff', request });
      return created({ handoff });
    },
  }),
  listHandoffs: operation({
    ...READS,
    path: '/v1/coordination/handoffs/query',
    summary: 'The handoffs that the caller sent or received, the newest change first',
    query: HandoffQuery,
    success: jsonSuccess(SAID, HandoffListAnswer),
    errors: STORE_ERRORS,
    run: listing<HandoffQuery>('handoff', 'handoffs', { sender_peer: 'owner', recipient_peer: 'participant' }),
  }),
  readHandoff: operation({
    ...READS,
    path: '/v1/coordination/handoff/{handoff_id}',
    summary: 'A handoff, for its sender and its recipient',
    success: jsonSuccess(SAID, HandoffAnswer),
    errors: READ_ERRORS,
    run: readingOne('handoff'),
  }),
  consumeHandoff: operation({
    ...WRITES,
    path: '/v1/coordination/handoff/{handoff_id}/consume',
    summary: 'Record the recipient’s decision on a handoff; no capsule changes',
    body: HandoffConsumeRequest,
    success: jsonSuccess('The handoff with the decision', HandoffConsumeAnswer),
    errors: CHANGE_ERRORS,
    run: async (call, { path, body: request }) => {
      const asked = { verb: 'consumeHandoff', request } as const;
      const { value: handoff, isChanged: updated } = await change(call, 'handoff', path['handoff_id'] ?? '', asked);
      return value({ ...CHANGED, updated, handoff });
    },
  }),
};
