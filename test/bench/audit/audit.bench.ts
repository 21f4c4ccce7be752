import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OPERATION_LIMIT_MS } from '../../../server/operations/operation.ts';
import { compiledPeers, CTO_ID } from '../../server/deployment.ts';
import { running } from '../../server/running.ts';
import { fillAudit } from '../../support/large-audit.ts';
import { report } from '../measure.ts';

/** Some 190 MB of audit, all of it in the window that is asked for. */
const RECALLS = 280_000;
const DAY_MS = 86_400_000;

test(`figures of a week with ${RECALLS} recalls come within the limit of an operation, and are complete`, async () => {
  const peers = await compiledPeers();
  const now = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
  const server = await running({ ...peers, now: () => now });
  fillAudit(server.audit, {
    ...{ agentId: CTO_ID, entity: 'acme/agent/cto', recalls: RECALLS, since: now - 7 * DAY_MS, until: now },
  });
  const size = statSync(server.audit).size / 1e6;
  for (const [what, path] of [
    ['metrics, at first', '/v1/agents/cto/metrics?since=7d'],
    ['metrics, again', '/v1/agents/cto/metrics?since=7d'],
    ['report of the agent', '/v1/agents/cto/report'],
    ['report of all', '/v1/report'],
    ['audit records', '/v1/agents/cto/audit?limit=200'],
  ] as const) {
    const begun = performance.now();
    const answer = await server.ask('admin', 'GET', path);
    const ms = performance.now() - begun;
    report(`${Math.round(size)} MB of audit, ${what}`, `${Math.round(ms)} ms`, `≤ ${OPERATION_LIMIT_MS} ms`);
    expect([what, answer.status]).toEqual([what, 200]);
    expect(ms).toBeLessThan(OPERATION_LIMIT_MS);
  }
  const { read, recalls } = (await server.ask('admin', 'GET', '/v1/agents/cto/metrics?since=7d')).json() as {
    readonly read: { readonly complete: boolean };
    readonly recalls: number;
  };
  expect([read.complete, recalls]).toEqual([true, RECALLS]);
});
