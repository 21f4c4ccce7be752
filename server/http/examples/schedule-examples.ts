import type { SCHEDULE_OPERATIONS } from '../../operations/continuity/schedule-operations.ts';
import type { ExamplesOf } from './example.ts';

const SAID = {
  kind: 'task_nudge',
  title: 'ask who reviews the migration',
  note: null,
  due_at: '2099-11-24T09:00:00Z',
  task_id: 'release-42',
  thread_id: null,
  subject_kind: null,
  subject_id: null,
  idempotency_key: 'run-4711-nudge',
  metadata: { ticket: 'INGEST-42' },
} as const;

const ITEM = {
  schedule_id: 'sched_5d41402abc4b2a76b9719d911017c592',
  ...SAID,
  status: 'pending',
  derived_state: 'scheduled',
  created_at: '2026-11-23T12:00:00Z',
  updated_at: '2026-11-23T12:00:00Z',
  created_by: 'acme/agent/assistant',
  updated_by: 'acme/agent/assistant',
  terminal_at: null,
  terminal_by: null,
  terminal_reason: null,
  version: 1,
} as const;

const CLOSED = {
  ...ITEM,
  derived_state: 'terminal',
  terminal_at: '2026-11-23T12:05:00Z',
  terminal_by: 'acme/agent/assistant',
  updated_at: '2026-11-23T12:05:00Z',
  version: 2,
} as const;

const ANSWER = { ok: true, warnings: [], content_kind: 'agent_authored' } as const;

/** An item as the other examples show it. */
export const SCHEDULED = ITEM;

/** Examples of the operations on schedules. */
export const SCHEDULE_EXAMPLES: ExamplesOf<typeof SCHEDULE_OPERATIONS> = {
  createScheduleItem: {
    body: {
      kind: SAID.kind,
      title: SAID.title,
      due_at: SAID.due_at,
      task_id: SAID.task_id,
      idempotency_key: SAID.idempotency_key,
      metadata: SAID.metadata,
    },
    answer: { ...ANSWER, created: true, item: ITEM },
  },
  listScheduleItems: {
    query: {
      status: 'pending',
      due: 'false',
      task_id: SAID.task_id,
      thread_id: 'migration',
      subject_kind: 'user',
      subject_id: 'ann',
      include_retired: 'false',
      limit: '20',
      offset: '0',
    },
    answer: { ...ANSWER, count: 1, total: 1, limit: 20, offset: 0, items: [ITEM] },
  },
  getScheduleItem: { answer: { ...ANSWER, item: ITEM } },
  updateScheduleItem: {
    body: { expected_version: 1, due_at: '2099-11-25T09:00:00Z' },
    answer: { ...ANSWER, updated: true, item: { ...ITEM, due_at: '2099-11-25T09:00:00Z', version: 2 } },
  },
  acknowledgeScheduleItem: {
    body: { expected_version: 1, status: 'done', reason: 'Ann reviews it' },
    answer: { ...ANSWER, updated: true, item: { ...CLOSED, status: 'done', terminal_reason: 'Ann reviews it' } },
  },
  retireScheduleItem: {
    body: { expected_version: 1 },
    answer: { ...ANSWER, updated: true, item: { ...CLOSED, status: 'retired' } },
  },
};
