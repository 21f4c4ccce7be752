import type { TriedRecall } from '../../../schema/api/tried-recall.ts';
import type { AuditPage } from '../../../schema/audit/page.ts';
import type { AgentReport } from '../../../schema/report/agent-report.ts';
import type { Report } from '../../../schema/report/report.ts';
import type { Source } from './source.ts';

/** Number of recalls that are requested at once. */
export const PAGE = 50;

/** An error answer of the server. */
export class Refusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The report of the server that sent the page. The key stays in memory only: a reload asks for it again.
 *
 * @throws Refusal
 */
export async function liveSource(key: string): Promise<Source> {
  const ask = async <T>(path: string, body?: unknown): Promise<T> => {
    const response = await fetch(path, {
      credentials: 'omit',
      headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as unknown;
    if (response.ok) return answer as T;
    const { error } = answer as { error?: { code?: string; message?: string } };
    throw new Refusal(error?.code ?? 'internal', error?.message ?? 'the server did not answer');
  };
  const of = (agent: string) => `v1/agents/${encodeURIComponent(agent)}`;
  return {
    report: await ask<Report>('v1/report'),
    agent: (name) => ask<AgentReport>(`${of(name)}/report`),
    server: {
      ask: (name, question) => ask<TriedRecall>(`${of(name)}/playground`, question),
      recalls: async (name, before) => {
        const from = before === null ? '' : `&before=${before}`;
        return (await ask<AuditPage>(`${of(name)}/audit?limit=${PAGE}${from}`)).entries;
      },
    },
  };
}
