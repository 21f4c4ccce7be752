import {
  ReconciliationAnswer,
  ReconciliationListAnswer,
  ReconciliationOpenAnswer,
  ReconciliationOpenRequest,
  ReconciliationQuery,
  ReconciliationResolveAnswer,
  ReconciliationResolveRequest,
} from '../../../../compiler/continuity/schema/coordination/reconciliation.ts';
import { jsonSuccess, operation } from '../../operation.ts';
import { value } from '../../result.ts';
import { STORE_ERRORS } from '../contracts.ts';
import { change, listing, peerOf, readingOne } from './calls.ts';
import { CHANGE_ERRORS, CHANGED, CREATE_ERRORS, created, READ_ERRORS, READS, SAID, WRITES } from './contract.ts';

/** Reconciliations: disagreements that were made explicit. */
export const RECONCILIATION_OPERATIONS = {
  openReconciliation: operation({
    ...WRITES,
    path: '/v1/coordination/reconciliation/open',
    summary: 'Make a disagreement explicit, with up to four claims by handoffs and shared artefacts',
    body: ReconciliationOpenRequest,
    success: { ...jsonSuccess('The reconciliation', ReconciliationOpenAnswer), created: 'The reconciliation' },
    errors: [...CREATE_ERRORS, 'coordination_not_found'],
    run: async (call, { body }) => {
      const claims = (body.claims ?? []).map((it) => ({ ...it, claimant_peer: peerOf(call, it.claimant_peer) }));
      const request = { ...body, claims };
      const asked = { verb: 'openReconciliation', request } as const;
      const { value: reconciliation } = await change(call, 'reconciliation', null, asked);
      return created({ reconciliation });
    },
  }),
  listReconciliations: operation({
    ...READS,
    path: '/v1/coordination/reconciliations/query',
    summary: 'The reconciliations that the caller opened or has a claim in, the newest change first',
    query: ReconciliationQuery,
    success: jsonSuccess(SAID, ReconciliationListAnswer),
    errors: STORE_ERRORS,
    run: listing<ReconciliationQuery>('reconciliation', 'reconciliations', {
      owner_peer: 'owner',
      claimant_peer: 'claimant',
    }),
  }),
  readReconciliation: operation({
    ...READS,
    path: '/v1/coordination/reconciliation/{reconciliation_id}',
    summary: 'A reconciliation, for the agent that opened it and its claimants',
    success: jsonSuccess(SAID, ReconciliationAnswer),
    errors: READ_ERRORS,
    run: readingOne('reconciliation'),
  }),
  resolveReconciliation: operation({
    ...WRITES,
    path: '/v1/coordination/reconciliation/{reconciliation_id}/resolve',
    summary: 'Resolve a disagreement; the first resolution is final, and nothing else changes',
    body: ReconciliationResolveRequest,
    success: jsonSuccess('The reconciliation with its resolution', ReconciliationResolveAnswer),
    errors: CHANGE_ERRORS,
    run: async (call, { path, body: request }) => {
      const asked = { verb: 'resolveReconciliation', request } as const;
      const id = path['reconciliation_id'] ?? '';
      const { value: reconciliation, isChanged: updated } = await change(call, 'reconciliation', id, asked);
      return value({ ...CHANGED, updated, reconciliation });
    },
  }),
};
