import { z } from 'zod';
import { AgentReport } from '../compiler/model/agentreport.ts';
import { Tried } from '../compiler/model/playground.ts';
import { RecallRequest } from '../compiler/model/recall.ts';
import { Report } from '../compiler/model/report.ts';
import type { Operation, Success } from './operation.ts';

/** How an agent's report is asked for. */
export const AgentReportQuery = z.strictObject({ show_intents: z.enum(['true', 'false']).default('false') });

const json = (description: string, schema: z.ZodType): Success => ({
  status: 200,
  description,
  type: 'application/json',
  schema,
});

const file = (description: string, type: NonNullable<Success['type']>): Success => ({
  status: 200,
  description,
  type,
  cached: true,
});

const AGENT = '/v1/agents/{agent_id}';

/** What the page for administrators is made of: its files are for anyone, all data for administrators alone. */
export const REPORT_OPERATIONS = {
  getReport: {
    method: 'get',
    path: '/v1/report',
    summary: 'The deployment at a glance: what the page begins with',
    access: 'admins',
    // the first one after a swap reads every garden, a turn of the event loop each
    limit: null,
    success: json('Budgets, coverage, probes and the last seven days of every agent', Report),
    errors: [],
  },
  getAgentReport: {
    method: 'get',
    path: `${AGENT}/report`,
    summary: 'Everything of one agent: units with their history, probes, siblings, approvals, the audit',
    access: 'admins',
    limit: null,
    query: AgentReportQuery,
    success: json('Intents of the audit are left out unless they are asked for', AgentReport),
    errors: ['agent_not_found'],
  },
  tryRecall: {
    method: 'post',
    path: `${AGENT}/playground`,
    summary: 'What a recall would bring, and why: without texts, and without a trace in the audit',
    access: 'admins',
    body: RecallRequest,
    success: json('Every unit with its scores, and the names of those that would come', Tried),
    errors: ['agent_not_found'],
  },
  getPage: {
    method: 'get',
    path: '/ui',
    summary: 'The page for administrators; it asks for a key',
    access: 'anyone',
    success: file('HTML without any data', 'text/html'),
    errors: [],
  },
  getPageScript: {
    method: 'get',
    path: '/ui/app.js',
    summary: 'The page’s program',
    access: 'anyone',
    success: file('The same for every deployment', 'text/javascript'),
    errors: [],
  },
  getPageStyle: {
    method: 'get',
    path: '/ui/app.css',
    summary: 'The page’s style sheet',
    access: 'anyone',
    success: file('The same for every deployment', 'text/css'),
    errors: [],
  },
} as const satisfies Record<string, Operation>;

export type ReportOperation = keyof typeof REPORT_OPERATIONS;
