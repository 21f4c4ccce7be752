import type { COORDINATION_OPERATIONS } from '../../operations/continuity/coordination/operations.ts';
import type { ExamplesOf } from './example.ts';
import { AGENT_ID, HANDOFF_ID, PEER_ID, RECONCILIATION_ID, SHARED_ID } from './sample.ts';

const AT = '2026-11-23T12:10:00Z';
const ANSWERED = { ok: true, content_kind: 'agent_authored' } as const;
const CHANGED = { ...ANSWERED, durable: true } as const;
const TIMES = { created_at: AT, updated_at: AT } as const;
const SUBJECT = { subject_kind: 'thread', subject_id: 'release-42' } as const;
const NOTE = 'the migration is yours from here';

const HANDOFF = {
  handoff_id: HANDOFF_ID,
  version: 1,
  ...TIMES,
  sender_peer: AGENT_ID,
  recipient_peer: PEER_ID,
  source_selector: SUBJECT,
  task_id: 'issue-7',
  thread_id: 'release-42',
  note: NOTE,
  shared_continuity: { active_constraints: ['no schema change before Friday'], drift_signals: [] },
  recipient_status: 'pending',
  recipient_note: null,
  consumed_at: null,
  commit_message: null,
} as const;

const TAKEN = {
  ...HANDOFF,
  version: 2,
  recipient_status: 'accepted_advisory',
  recipient_note: 'taken',
  consumed_at: AT,
} as const;

const CONTENT = { title: 'release 42', summary: 'what both of us keep to' } as const;
const ALERTS = ['the staging database is shared'];

const SHARED = {
  shared_id: SHARED_ID,
  version: 1,
  ...TIMES,
  owner_peer: AGENT_ID,
  participant_peers: [PEER_ID],
  task_id: 'issue-7',
  thread_id: 'release-42',
  ...CONTENT,
  shared_state: { constraints: [], drift_signals: [], coordination_alerts: ALERTS },
  commit_message: null,
};

const CLAIM = {
  source_kind: 'shared',
  source_id: SHARED_ID,
  claimant_peer: PEER_ID,
  claim_summary: 'staging has its own database since Monday',
  epistemic_status: 'frame_present',
  evidence_refs: ['ci/run/4711'],
  observed_version: 1,
} as const;

const DISAGREEMENT = {
  title: 'is staging shared?',
  classification: 'stale_observation',
  trigger: 'shared_vs_shared',
} as const;

const RECONCILIATION = {
  reconciliation_id: RECONCILIATION_ID,
  version: 1,
  ...TIMES,
  owner_peer: AGENT_ID,
  participant_peers: [PEER_ID],
  task_id: 'issue-7',
  thread_id: 'release-42',
  ...DISAGREEMENT,
  summary: null,
  claims: [{ ...CLAIM, evidence_refs: [...CLAIM.evidence_refs] }],
  status: 'open',
  resolution_outcome: null,
  resolution_summary: null,
  resolved_at: null,
  resolved_by: null,
  commit_message: null,
} as const;

const RESOLUTION = { resolution_outcome: 'advisory_only', resolution_summary: 'it is not shared any more' } as const;

const PAGE = { count: 1, total_matches: 1 } as const;
const ABOUT = { task_id: 'issue-7', thread_id: 'release-42', offset: '0', limit: '20' } as const;

/** Examples of the operations on what agents hand over, share and disagree about. */
export const COORDINATION_EXAMPLES: ExamplesOf<typeof COORDINATION_OPERATIONS> = {
  createHandoff: {
    body: { ...SUBJECT, recipient_peer: 'reviewer', thread_id: 'release-42', note: NOTE },
    answer: { ...CHANGED, created: true, handoff: HANDOFF },
  },
  listHandoffs: {
    query: { ...ABOUT, sender_peer: 'assistant', recipient_peer: 'reviewer', status: 'pending' },
    answer: { ...ANSWERED, ...PAGE, handoffs: [HANDOFF] },
  },
  readHandoff: { answer: { ...ANSWERED, handoff: HANDOFF } },
  consumeHandoff: {
    body: { status: 'accepted_advisory', note: 'taken' },
    answer: { ...CHANGED, updated: true, handoff: TAKEN },
  },
  createShared: {
    body: { participant_peers: ['reviewer'], thread_id: 'release-42', ...CONTENT, coordination_alerts: ALERTS },
    answer: { ...CHANGED, created: true, shared: SHARED },
  },
  listShared: {
    query: { ...ABOUT, owner_peer: 'assistant', participant_peer: 'reviewer' },
    answer: { ...ANSWERED, ...PAGE, shared_artifacts: [SHARED] },
  },
  readShared: { query: { version: '1' }, answer: { ...ANSWERED, shared: SHARED, latest_version: 1 } },
  updateShared: {
    body: { expected_version: 1, ...CONTENT, coordination_alerts: [] },
    answer: {
      ...CHANGED,
      updated: true,
      shared: { ...SHARED, version: 2, shared_state: { ...SHARED.shared_state, coordination_alerts: [] } },
    },
  },
  openReconciliation: {
    body: {
      ...DISAGREEMENT,
      thread_id: 'release-42',
      claims: [{ ...CLAIM, claimant_peer: 'reviewer', evidence_refs: [...CLAIM.evidence_refs] }],
    },
    answer: { ...CHANGED, created: true, reconciliation: RECONCILIATION },
  },
  listReconciliations: {
    query: {
      ...ABOUT,
      owner_peer: 'assistant',
      claimant_peer: 'reviewer',
      status: 'open',
      classification: 'stale_observation',
    },
    answer: { ...ANSWERED, ...PAGE, reconciliations: [RECONCILIATION] },
  },
  readReconciliation: { answer: { ...ANSWERED, reconciliation: RECONCILIATION } },
  resolveReconciliation: {
    body: { expected_version: 1, ...RESOLUTION },
    answer: {
      ...CHANGED,
      updated: true,
      reconciliation: {
        ...RECONCILIATION,
        version: 2,
        status: 'resolved',
        ...RESOLUTION,
        resolved_at: AT,
        resolved_by: AGENT_ID,
      },
    },
  },
};
