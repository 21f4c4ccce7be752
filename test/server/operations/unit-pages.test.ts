import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Units } from '../../../compiler/schema/api/units.ts';
import { agentServer } from '../../../server/mcp/agent-server.ts';
import { callerBy, OWN_OPERATIONS } from '../../../server/operations/tables/agent-caller.ts';
import { compiledPeers } from '../deployment.ts';
import { running, type Running } from '../running.ts';

let server: Running;

beforeAll(async () => {
  server = await running(await compiledPeers());
});

async function page(query: string): Promise<Units> {
  const answer = await server.ask('cto', 'GET', `/v1/agents/cto/units?${query}`);
  expect(answer.status).toBe(200);
  return answer.json() as unknown as Units;
}

describe('the units of an agent, page by page', () => {
  test.each([1, 2, 3])('pages of %i have each unit once, in the order of names, and end', async (limit) => {
    const { units: all, next: none } = await page('limit=500');
    expect([all.length > 3, none]).toEqual([true, null]);
    const turned: string[] = [];
    let next: string | null = '';
    // one page too many is seen as a unit that comes twice
    for (let left = all.length + 1; next !== null && left > 0; left -= 1) {
      const got = await page(`limit=${limit}${next === '' ? '' : `&after=${next}`}`);
      expect(got.units.length).toBeLessThanOrEqual(limit);
      turned.push(...got.units.map((it) => it.name));
      next = got.next;
    }
    expect([turned, next]).toEqual([all.map((it) => it.name), null]);
    expect(turned).toEqual([...turned].sort());
  });

  test('after the last name there is nothing, and no further page', async () => {
    expect(await page('after=zzzz')).toEqual({ units: [], next: null });
  });

  test('over MCP resources/list follows the pages to their end', async () => {
    const names = Array.from({ length: 1001 }, (_, i) => `unit-${String(i).padStart(4, '0')}`);
    const asked: string[] = [];
    const caller = callerBy(
      (operation, { query } = {}) => {
        if (operation !== OWN_OPERATIONS.listUnits) throw new Error('only units are listed');
        const { limit, after = '' } = query as { limit: string; after?: string };
        asked.push(after);
        const left = names.filter((name) => name > after);
        const units = left
          .slice(0, Number(limit))
          .map((name) => ({ name, description: name, fact_uri: `instruction:acme/${name}/v1` }));
        return Promise.resolve({ units, next: left.length > Number(limit) ? units.at(-1)?.name : null });
      },
      { keepsCapsules: false, now: () => 0 },
    );
    const [there, here] = InMemoryTransport.createLinkedPair();
    const [client, mcp] = [new Client({ name: 'test', version: '1' }), agentServer(caller, 'full')];
    await Promise.all([mcp.connect(there), client.connect(here)]);
    const { resources } = await client.listResources();
    expect(resources.map((it) => it.name).filter((it) => it.startsWith('unit-'))).toEqual(names);
    expect(asked).toEqual(['', 'unit-0499', 'unit-0999']);
    await client.close();
  });
});
