import { LIMITATION } from '../../../compiler/schema/api/metrics.ts';
import type { AUDIT_OPERATIONS } from '../../operations/admin-operations.ts';
import type { ExamplesOf } from './example.ts';
import { AGENT, AGENT_ID, AUDIT_TOKEN, CLOSED_AT, RECALLED_AT, SINCE, UNTIL, WRAP_UP } from './sample.ts';

/** The figures of one recall, closed with one used and one missed unit. */
export const METRICS = {
  agent: AGENT,
  agent_id: AGENT_ID,
  since: SINCE,
  until: UNTIL,
  recalls: 1,
  heartbeats: 1,
  aborted: 0,
  excluded: { by_others: 0, unclosed: 0, silent: 0, unused: 0 },
  at: [{ k: 3, recall: 1, hit: 1 }],
  miss_rate: 0.5,
  events: 1,
  rolling: { since: SINCE, miss_rate: 0.5, events: 1 },
  alert: false,
  days: [{ day: '2026-11-23', recalls: 1, events: 1, miss_rate: 0.5, rolling: 0.5, recall_at: [{ k: 3, recall: 1 }] }],
  tokens: { heartbeats: 1, unnamed: 0, lazy: 220, eager: 298, saved: 0.2617 },
  missed: [{ name: 'release-decision', times: 1, exists: false }],
  more_missed: 0,
  guaranteed: [],
  recertify: null,
  limitation: LIMITATION,
};

/** Examples of what administrators read of the audit. */
export const AUDIT_EXAMPLES: ExamplesOf<typeof AUDIT_OPERATIONS> = {
  getAudit: {
    query: { limit: '1', before: '3' },
    answer: {
      entries: [
        {
          seq: 2,
          id: 'audevent_01M843C7CCSY298MPPGM863K7J',
          kind: 'recall',
          aborted: false,
          agent_id: AGENT_ID,
          heartbeat_id: 'run-4711',
          session_start: RECALLED_AT,
          intent: 'I am done for now and want to stop',
          intent_digest: '6d0c3a1f8e52b4976d0c3a1f8e52b4976d0c3a1f8e52b4976d0c3a1f8e52b497',
          loaded_chunks: [{ name: WRAP_UP.name, rank: 1, source: 'stigmem', version: 'v1' }],
          used_chunks: [WRAP_UP.name],
          missed_chunks: ['release-decision'],
          left_out: [{ name: 'limits', outcome: 'over_max_chunks' }],
          warnings: [],
          audit_token: AUDIT_TOKEN,
          audit_closed: CLOSED_AT,
          created_at: RECALLED_AT,
        },
      ],
    },
  },
  getAgentMetrics: {
    query: { since: '7d', k: '3' },
    answer: { ...METRICS, read: { rows: 2, complete: true, from: SINCE, spooled: 0 } },
  },
};
