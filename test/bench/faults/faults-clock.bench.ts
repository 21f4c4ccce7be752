import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { verifyAudit } from '../../../server/audit/maintenance.ts';
import { compiledPeers } from '../../server/deployment.ts';
import { running } from '../../server/running.ts';
import { accountsOf, tokensIn } from '../audit/audit-rows.ts';
import { report } from '../measure.ts';
import { beginLoad, CONNECTIONS, post, type Told } from '../serve/load.ts';

const HOUR_MS = 3_600_000;
const STEPS = 3;
const BODIES = ['hand over', 'production is down', 'decide on a release', 'start a heartbeat'].map((intent) =>
  JSON.stringify({ intent }),
);

/** How often a row stands before one that the same connection was answered earlier. */
function outOfOrder(rows: readonly string[], answers: readonly Told[]): number {
  const place = new Map(rows.map((token, seq) => [token, seq]));
  const last = new Map<number, number>();
  let found = 0;
  for (const { connection, token } of answers) {
    const at = place.get(token) ?? -1;
    if (at <= (last.get(connection) ?? -1)) found += 1;
    last.set(connection, at);
  }
  return found;
}

test('a clock that steps back an hour under load fails no request, and the audit keeps its order', async () => {
  let offset = 0;
  const server = await running({ ...(await compiledPeers()), now: () => Date.now() + offset });
  const headers = { authorization: `Bearer ${server.keys.cto}`, 'content-type': 'application/json' };
  const url = `${server.url}/v1/agents/cto/recall-instruction`;
  const load = beginLoad({ url, headers, bodies: BODIES });
  const closings: number[] = [];
  const agent = new Agent({ keepAlive: true });
  for (let step = 0; step < STEPS; step++) {
    await sleep(1000);
    const { token } = load.answers.at(-1) ?? { token: '' };
    offset -= HOUR_MS;
    // the earlier clock closes a recall of the later one
    const body = JSON.stringify({ audit_token: token, used_chunks: ['wrap-up'] });
    const { response } = await post(`${server.url}/v1/instruction/audit`, headers, agent, body);
    closings.push(response.statusCode ?? 0);
  }
  await sleep(1000);
  await load.end();
  agent.destroy();
  const listed = await server.ask('admin', 'GET', '/v1/agents/cto/audit?limit=100');
  await server.close();
  const rows = tokensIn(server.audit);
  const tally = await verifyAudit({ audit: server.audit, state: server.audit }, { pinned: null });
  const accounts = accountsOf(rows, load.answers);
  const disorder = outOfOrder(rows, load.answers);
  const newest = (listed.json()['entries'] as { audit_token: string }[]).map((it) => it.audit_token);
  report(
    `clock back an hour, ${STEPS} times, ${CONNECTIONS} connections: answers, failed`,
    `${load.answers.length}, ${load.failures.length}`,
    '0 failed',
  );
  report(
    '  rows missing, twice there, out of order',
    `${accounts.missing}, ${accounts.doubled}, ${disorder}`,
    '0, 0, 0',
  );
  report('  entries whose chain holds', String(tally.entries), '');
  expect(load.failures).toEqual([]);
  expect(accounts).toMatchObject({ missing: 0, doubled: 0, unaudited: 0, unheard: 0 });
  expect(disorder).toBe(0);
  expect(closings).toEqual(Array.from({ length: STEPS }, () => 204));
  expect(newest).toEqual(rows.slice(-newest.length).reverse());
  expect(server.log.filter((it) => it['level'] === 50)).toEqual([]);
});
