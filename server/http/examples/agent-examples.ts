import type { AGENT_OPERATIONS } from '../../operations/agent-operations.ts';
import type { ExamplesOf } from './example.ts';
import { AGENT_ID, AUDIT_TOKEN, LIMITS, REVISION, STUB, WRAP_UP } from './sample.ts';

/** Examples of what agents call. */
export const AGENT_EXAMPLES: ExamplesOf<typeof AGENT_OPERATIONS> = {
  recallInstruction: {
    query: { explain: 'false' },
    headers: { 'X-Heartbeat-Id': 'run-4711' },
    body: { intent: 'I am done for now and want to stop', max_chunks: 1 },
    answer: {
      chunks: [
        {
          name: WRAP_UP.name,
          fact_uri: WRAP_UP.uri,
          content: WRAP_UP.content,
          tokens: WRAP_UP.tokens,
          valid_until: null,
          version: 'v1',
          score: 0.569527,
          source: 'stigmem',
        },
      ],
      total_tokens: WRAP_UP.tokens,
      truncated: false,
      missed_hints: [],
      warnings: [],
      audit_token: AUDIT_TOKEN,
    },
  },
  heartbeat: {
    query: {},
    body: { profile: 'generic' },
    answer: {
      agent_id: AGENT_ID,
      heartbeat_id: 'run-4711',
      wake_reason: 'issue_assigned',
      stub: { content: STUB, profile: 'generic', stub_version: 1, manifest_version: 'v1', tokens: 180 },
      preloads: [
        {
          name: LIMITS.name,
          fact_uri: LIMITS.uri,
          content: LIMITS.content,
          tokens: LIMITS.tokens,
          valid_until: null,
          version: 'v1',
          source: 'task_type_preload',
        },
      ],
      total_tokens: 220,
      warnings: [],
      unavailable: [],
      bundle_revision: REVISION,
      audit_token: AUDIT_TOKEN,
    },
  },
  closeRecall: {
    body: { audit_token: AUDIT_TOKEN, used_chunks: [WRAP_UP.name], missed_chunks: ['release-decision'] },
    answer: null,
  },
};
