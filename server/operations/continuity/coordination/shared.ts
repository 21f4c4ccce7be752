import {
  SharedAnswer,
  SharedCreateAnswer,
  SharedCreateRequest,
  SharedListAnswer,
  SharedQuery,
  SharedReadQuery,
  SharedUpdateAnswer,
  SharedUpdateRequest,
} from '../../../../compiler/continuity/schema/coordination/shared.ts';
import { jsonSuccess, operation } from '../../operation.ts';
import { value } from '../../result.ts';
import { STORE_ERRORS } from '../contracts.ts';
import { ANSWERED, change, listing, peerOf, visible } from './calls.ts';
import { CHANGE_ERRORS, CHANGED, CREATE_ERRORS, created, READ_ERRORS, READS, SAID, WRITES } from './contract.ts';

/** Operations on shared artefacts, which one agent writes and others read. */
export const SHARED_OPERATIONS = {
  createShared: operation({
    ...WRITES,
    path: '/v1/coordination/shared/create',
    summary: 'Share constraints, drift signals and alerts with up to eight agents',
    body: SharedCreateRequest,
    success: { ...jsonSuccess('The artefact', SharedCreateAnswer), created: 'The artefact' },
    errors: CREATE_ERRORS,
    run: async (call, { body }) => {
      const participant_peers = (body.participant_peers ?? []).map((it) => peerOf(call, it));
      const request = { ...body, participant_peers };
      const { value: shared } = await change(call, 'shared', null, { verb: 'createShared', request });
      return created({ shared });
    },
  }),
  listShared: operation({
    ...READS,
    path: '/v1/coordination/shared/query',
    summary: 'The shared artefacts that the caller owns or takes part in, the newest change first',
    query: SharedQuery,
    success: jsonSuccess(SAID, SharedListAnswer),
    errors: STORE_ERRORS,
    run: listing<SharedQuery>('shared', 'shared_artifacts', { owner_peer: 'owner', participant_peer: 'participant' }),
  }),
  readShared: operation({
    ...READS,
    path: '/v1/coordination/shared/{shared_id}',
    summary: 'A shared artefact, or an earlier version of it, for its owner and its participants',
    query: SharedReadQuery,
    success: jsonSuccess(SAID, SharedAnswer),
    errors: READ_ERRORS,
    run: (call, { path, query }) => {
      const id = path['shared_id'] ?? '';
      const newest = visible(call, 'shared', id);
      const shared = query.version === undefined ? newest : visible(call, 'shared', id, query.version);
      return value({ ...ANSWERED, shared, latest_version: newest.version });
    },
  }),
  updateShared: operation({
    ...WRITES,
    path: '/v1/coordination/shared/{shared_id}/update',
    summary: 'Replace the content of a shared artefact, as its owner; the first writer of a version wins',
    body: SharedUpdateRequest,
    success: jsonSuccess('The artefact with its new version', SharedUpdateAnswer),
    errors: CHANGE_ERRORS,
    run: async (call, { path, body: request }) => {
      const asked = { verb: 'updateShared', request } as const;
      const { value: shared } = await change(call, 'shared', path['shared_id'] ?? '', asked);
      return value({ ...CHANGED, updated: true, shared });
    },
  }),
};
