import { LIMITATION } from '../../../compiler/schema/api/metrics.ts';
import type { REPORT_OPERATIONS } from '../../operations/admin-operations.ts';
import { METRICS } from './audit-examples.ts';
import type { ExamplesOf } from './example.ts';
import { AGENT, AGENT_ID, COMMIT, COMMITTED_AT, RECALLED_AT, REVISION, SINCE, UNTIL, WRAP_UP } from './sample.ts';

const SUMMARY = {
  name: AGENT,
  agent_id: AGENT_ID,
  role: 'Assistant',
  migration_mode: 'stigmem',
  sensitive: false,
  serial: 1,
  commit: COMMIT,
  committed_at: COMMITTED_AT,
  digest: '3bcfc17be9f376bb12294214e8a07f9c57caf9c0b31022485a972f4504b2e88f',
  manifest_version: 'v1',
  units: 3,
  guaranteed: 0,
  held: 0,
  approvals: 0,
  recertify_by: null,
  tokens: { stub: 180, manifest: 276, units: 118, largest_unit: 42 },
  coverage: { mean: 1, least: 1, critical: 0 },
  probes: null,
  changed: null,
  audit: { recalls: 1, events: 1, miss_rate: 0.5, alert: false, saved: 0.2617 },
};

const UNIT = {
  name: WRAP_UP.name,
  uri: WRAP_UP.uri,
  shared: false,
  tokens: WRAP_UP.tokens,
  delivery: {
    description: WRAP_UP.description,
    load_triggers: { intents: ['I am done for now and want to stop'], keywords: ['handover'], task_types: [] },
    required_by_task_types: [],
    guarantee_load: false,
    force_position: 'append',
    related: [],
    aliases: [],
    valid_until: null,
    listed: true,
    renamed_from: null,
    path: null,
  },
  fallback: null,
  valid_until: null,
  measure: null,
  lifted: false,
  approvals: [],
  versions: [],
  more_versions: 1,
};

/** Examples of the data of the administrators’ page. */
export const REPORT_EXAMPLES: ExamplesOf<typeof REPORT_OPERATIONS> = {
  getReport: {
    answer: {
      format: 1,
      generated_at: UNTIL,
      deployment: 'acme',
      compiler: '0.1.0',
      bundle: { revision: REVISION, serial: 1, commit: COMMIT, committed_at: COMMITTED_AT },
      model: {
        name: 'builtin',
        dims: 256,
        digest: 'e114e100751407ad89f87cf47602d879fd88b2ca95b59a82cfb6dbb13665e459',
      },
      previous: null,
      audit: { since: SINCE, until: UNTIL, answers: 2, complete: true },
      shows_intents: false,
      limits: {
        stub: 500,
        stub_target: 450,
        manifest: 1000,
        coverage: 0.8,
        critical_hit: 0.4,
        miss_rate: 0.15,
        miss_events: 100,
        relevant: 0.6,
      },
      agents: [SUMMARY],
      unread: [],
      shared: [],
      limitation: LIMITATION,
    },
  },
  getAgentReport: {
    query: { show_intents: 'false' },
    answer: {
      format: 1,
      summary: SUMMARY,
      stubs: [{ profile: 'generic', tokens: 180 }],
      manifest: { version: 'v1', tokens: 276, unlisted: 0, trimmed_fields: [] },
      units: [UNIT],
      probes: null,
      siblings: { units: [{ name: WRAP_UP.name, asked: 2, first: 2, more_rivals: 0 }], rivalries: [] },
      approvals: [],
      held: [],
      gone: [],
      changes: null,
      audit: {
        metrics: METRICS,
        read: { rows: 2, complete: true, from: SINCE },
        missed: [{ at: RECALLED_AT, intent: '', loaded: [WRAP_UP.name], missed: ['release-decision'] }],
        more_missed: 0,
      },
    },
  },
  tryRecall: {
    body: { intent: 'I am done for now and want to stop', max_chunks: 1 },
    answer: {
      order: [WRAP_UP.name],
      total_tokens: WRAP_UP.tokens,
      truncated: false,
      warnings: [],
      explain: {
        now: RECALLED_AT,
        search: 'exhaustive',
        measured_recall: null,
        weights: { lexical: 0.35, semantic: 0.5, graph: 0.15 },
        ranked_budget: 2000,
        units: [
          {
            name: WRAP_UP.name,
            fact_uri: WRAP_UP.uri,
            outcome: 'ranked',
            rank: 1,
            place: 1,
            exact_name: false,
            score: 0.569527,
            lift: 0,
            lexical: 0.617064,
            semantic: 0.684047,
            graph: 0.076878,
            tokens: WRAP_UP.tokens,
          },
        ],
      },
    },
  },
};
