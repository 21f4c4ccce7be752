import { z } from 'zod';
import { CommitMessage, IdempotencyKey } from '../upsert.ts';
import { COORDINATION_ITEMS } from './limits.ts';
import {
  ABOUT,
  ANSWERED,
  CHANGED,
  LISTED,
  PAGE,
  Peer,
  PeerId,
  said,
  saidList,
  ServerTime,
  STORED_ABOUT,
  ArtefactVersion,
} from './members.ts';

const Classification = z.enum(['contradictory', 'stale_observation', 'frame_conflict', 'concurrent_race']);

const Trigger = z.enum(['handoff_vs_handoff', 'shared_vs_shared', 'handoff_vs_shared', 'concurrent_mutation_race']);

const SourceKind = z.enum(['handoff', 'shared']);

/** The knowledge of a claimant about the frame that it speaks from. */
const EpistemicStatus = z.enum(['frame_present', 'frame_absent_evidence_confirms', 'frame_status_unknown']);

/** The claim of one participant of a handoff or of a shared artefact, by that artefact. */
export const ReconciliationClaim = z
  .strictObject({
    source_kind: SourceKind,
    source_id: said('artefact_id'),
    claimant_peer: Peer,
    claim_summary: said('claim_summary'),
    epistemic_status: EpistemicStatus,
    evidence_refs: saidList('evidence_refs').nullish(),
    observed_version: ArtefactVersion.nullish().meta({
      description: 'Of a shared artefact: the version that was read',
    }),
  })
  .refine((it) => (it.source_kind === 'shared') === ((it.observed_version ?? null) !== null), {
    path: ['observed_version'],
    message: 'required for a shared artefact, not allowed for a handoff',
  });

export const ReconciliationOpenRequest = z.strictObject({
  ...ABOUT,
  title: said('title'),
  summary: said('summary').nullish(),
  classification: Classification,
  trigger: Trigger,
  claims: z.array(ReconciliationClaim).max(COORDINATION_ITEMS.claims).nullish(),
  commit_message: CommitMessage,
  idempotency_key: IdempotencyKey,
});

const ResolutionOutcome = z.enum(['advisory_only', 'conflicted', 'rejected']);

const isSent = (value: unknown): boolean => (value ?? null) !== null;

export const ReconciliationResolveRequest = z
  .strictObject({
    expected_version: ArtefactVersion,
    resolution_outcome: ResolutionOutcome.nullish().meta({ description: 'Required, by this name or by outcome' }),
    outcome: ResolutionOutcome.nullish().meta({ description: 'Another name of resolution_outcome' }),
    resolution_summary: said('resolution_summary').nullish(),
  })
  .refine((it) => isSent(it.resolution_outcome) !== isSent(it.outcome), {
    path: ['resolution_outcome'],
    message: 'send exactly one of resolution_outcome and outcome',
  });

const StoredClaim = z.strictObject({
  source_kind: SourceKind,
  source_id: z.string(),
  claimant_peer: PeerId,
  claim_summary: z.string(),
  epistemic_status: EpistemicStatus,
  evidence_refs: z.array(z.string()),
  observed_version: ArtefactVersion.nullable(),
});

/** A disagreement between agents that was made explicit; its resolution is advice and changes nothing else. */
export const Reconciliation = z.strictObject({
  reconciliation_id: z.string(),
  version: ArtefactVersion,
  created_at: ServerTime,
  updated_at: ServerTime,
  owner_peer: PeerId,
  /** The claimants, in the order of their claims, without the owner. */
  participant_peers: z.array(PeerId),
  ...STORED_ABOUT,
  title: z.string(),
  summary: z.string().nullable(),
  classification: Classification,
  trigger: Trigger,
  claims: z.array(StoredClaim),
  status: z.enum(['open', 'resolved']),
  resolution_outcome: ResolutionOutcome.nullable(),
  resolution_summary: z.string().nullable(),
  resolved_at: ServerTime.nullable(),
  resolved_by: PeerId.nullable(),
  commit_message: z.string().nullable(),
});

export const ReconciliationOpenAnswer = z.strictObject({
  ...CHANGED,
  created: z.literal(true),
  reconciliation: Reconciliation,
});

export const ReconciliationResolveAnswer = z.strictObject({
  ...CHANGED,
  /** Not, if it was resolved so before. */
  updated: z.boolean(),
  reconciliation: Reconciliation,
});

export const ReconciliationAnswer = z.strictObject({ ...ANSWERED, reconciliation: Reconciliation });

export const ReconciliationQuery = z.strictObject({
  owner_peer: Peer.optional(),
  claimant_peer: Peer.optional(),
  status: Reconciliation.shape.status.optional(),
  classification: Classification.optional(),
  task_id: ABOUT.task_id.unwrap().unwrap().optional(),
  thread_id: ABOUT.thread_id.unwrap().unwrap().optional(),
  ...PAGE,
});

export const ReconciliationListAnswer = z.strictObject({ ...LISTED, reconciliations: z.array(Reconciliation) });

export type ReconciliationClaim = z.infer<typeof ReconciliationClaim>;
export type StoredClaim = z.infer<typeof StoredClaim>;
export type ReconciliationOpenRequest = z.infer<typeof ReconciliationOpenRequest>;
export type ReconciliationResolveRequest = z.infer<typeof ReconciliationResolveRequest>;
export type Reconciliation = z.infer<typeof Reconciliation>;
export type ReconciliationOpenAnswer = z.infer<typeof ReconciliationOpenAnswer>;
export type ReconciliationResolveAnswer = z.infer<typeof ReconciliationResolveAnswer>;
export type ReconciliationQuery = z.infer<typeof ReconciliationQuery>;
