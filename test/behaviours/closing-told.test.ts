import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderStub } from '../../compiler/gardens/manifest/boot-stub.ts';
import { countTokens } from '../../compiler/io/models/tokens.ts';
import { MCP_PROFILE, PROFILES } from '../../compiler/schema/bundle/boot-stub.ts';
import { compiledPeers } from '../server/deployment.ts';
import { running, type Running } from '../server/running.ts';

/** Fields that a closing sends. */
const SENT = ['audit_token', 'used_chunks', 'missed_chunks'];

/** The profiles of hosts without the tools of MCP, whose schema says it. */
const FULL = PROFILES.filter((it) => it !== MCP_PROFILE);

/** Whether one line says all that a closing sends. */
const tells = (text: string) => text.split('\n').some((line) => SENT.every((it) => line.includes(it)));

/** The body of a boot stub with the longest names that a deployment is likely to have. */
function stubOf(profile: (typeof PROFILES)[number], startup_view = false): string {
  const agent = {
    agent_id: '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9',
    role: 'Head of research and development',
    heartbeat_contract: 'heartbeat',
    migration_mode: 'stigmem' as const,
    adapter_profiles: [profile],
    sensitive: false,
    shared: [],
  };
  const uri = 'instruction:a-deployment-of-some-length/agent/research-and-development';
  const source = {
    ...{ agent, heartbeat_contract: `${uri}/heartbeat/v100`, manifest_uri: `${uri}/manifest/v100` },
    ...{ generated_at: '2026-11-23T00:00:00Z', unlisted: 1000, rules: '', startup_view },
  };
  return renderStub(source, profile, countTokens).text;
}

describe('how to close a recall is told in one line', () => {
  test.each(FULL)('by the boot stub for %s, which stays within 500 tokens', (profile) => {
    const [, body = ''] = stubOf(profile).split('\n---\n\n');
    expect(tells(body)).toBe(true);
    expect(countTokens(body)).toBeLessThanOrEqual(500);
  });

  test.each(FULL)(
    'by the boot stub for %s that points to the startup view too, and is within 500 tokens',
    (profile) => {
      const [plain = '', pointing = ''] = [false, true].map((it) => stubOf(profile, it).split('\n---\n\n')[1] ?? '');
      expect([tells(pointing), pointing.includes('read_capsule'), plain.includes('capsule')]).toEqual([
        true,
        true,
        false,
      ]);
      expect(countTokens(pointing)).toBeLessThanOrEqual(500);
    },
  );

  test.each(['README.md', 'server/README.md'])('by %s', (path) => {
    expect(tells(readFileSync(path, 'utf8'))).toBe(true);
  });
});

describe('a server tells how to close a recall', () => {
  let server: Running;
  let client: Client;

  beforeAll(async () => {
    server = await running(await compiledPeers());
    client = new Client({ name: 'test', version: '1' });
    const headers = { authorization: `Bearer ${server.keys.cto}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit: { headers } }));
  });

  afterAll(() => client.close());

  /** The suggestion in an error; null without one. */
  const meant = (json: unknown) => /did you mean “(\w+)”/.exec(JSON.stringify(json))?.[1] ?? null;
  const recalled = async () =>
    String((await server.recall('cto', 'cto', { intent: 'hand over' })).json()['audit_token']);
  const closing = (json: unknown) => server.ask('cto', 'POST', '/v1/instruction/audit', { json });

  test('in the instructions of MCP and the schema of its tool', async () => {
    expect(client.getInstructions()).toMatch(/audit_token.*close_recall with that token/);
    const { tools } = await client.listTools();
    expect(tells(JSON.stringify(tools.find(({ name }) => name === 'close_recall')?.inputSchema))).toBe(true);
  });

  test('in the description and in the example of /openapi.json', async () => {
    const { paths } = (await server.ask(null, 'GET', '/openapi.json')).json() as {
      paths: Record<string, Record<string, { description?: string; requestBody?: object }>>;
    };
    const { description = '', requestBody } = paths['/v1/instruction/audit']?.['post'] ?? {};
    expect(tells(description)).toBe(true);
    expect(requestBody).toMatchObject({
      content: { 'application/json': { example: Object.fromEntries(SENT.map((it) => [it, expect.anything()])) } },
    });
  });

  test.each([
    ['used_chunk', 'used_chunks'],
    ['usedChunks', 'used_chunks'],
    ['missed_units', 'missed_chunks'],
  ])('a closing with %s is refused, and told %s', async (key, known) => {
    const answer = await closing({ audit_token: await recalled(), [key]: ['wrap-up'] });
    expect([answer.code, meant(answer.json())]).toEqual(['request_invalid', known]);
  });

  test.each([
    ['max_chunk', 'max_chunks'],
    ['manifest_hints', 'manifest_hint'],
    ['tokenBudget', 'token_budget'],
  ])('a recall with %s is refused, and told %s', async (key, known) => {
    const answer = await server.recall('cto', 'cto', { intent: 'hand over', [key]: 1 });
    expect([answer.code, meant(answer.json())]).toEqual(['request_invalid', known]);
  });

  test('a closing with a key that is like none is told every key', async () => {
    const told = JSON.stringify((await closing({ audit_token: await recalled(), helped: ['wrap-up'] })).json());
    expect(SENT.filter((it) => told.includes(it))).toEqual(SENT);
  });

  test('a closing with used_chunk is told used_chunks over MCP too', async () => {
    const named = { audit_token: await recalled(), used_chunk: ['wrap-up'] };
    const { isError, content } = await client.callTool({ name: 'close_recall', arguments: named });
    expect([isError, meant(content)]).toEqual([true, 'used_chunks']);
  });
});
