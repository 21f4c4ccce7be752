import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import type { AgentMetrics } from '../../../compiler/schema/api/metrics.ts';
import { toolSchema } from '../../../compiler/schema/api/recall-tool.ts';
import { McpRecallRequest, RecallResponse, type RecallCandidate } from '../../../compiler/schema/api/recall.ts';
import { rows } from '../audit-file.ts';
import { compiledPeers } from '../deployment.ts';
import { running, type Running, type Who } from '../running.ts';
import { failedWith } from './asking.ts';

let server: Running;
const clients: Client[] = [];

beforeAll(async () => {
  server = await running(await compiledPeers());
});

afterAll(async () => {
  for (const client of clients) await client.close();
});

/** A client of the official SDK, with somebody's key. */
async function connect(who: Who, headers: Record<string, string> = {}, path = '/mcp'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}${path}`), {
    requestInit: { headers: { authorization: `Bearer ${server.keys[who]}`, ...headers } },
  });
  await client.connect(transport);
  clients.push(client);
  return client;
}

describe('MCP over HTTP', () => {
  test('a recall is answered, recorded and closed as over HTTP', async () => {
    const client = await connect('cto');
    const asked = { intent: 'hand over' };
    const { structuredContent, isError } = await client.callTool({ name: 'recall_instruction', arguments: asked });
    expect(isError).toBeFalsy();
    const answer = RecallResponse.parse(structuredContent);
    expect(answer.chunks.map(({ name }) => name)).toContain('wrap-up');
    const closing = { audit_token: answer.audit_token, used_chunks: ['wrap-up'] };
    const closed = await client.callTool({ name: 'close_recall', arguments: closing });
    expect(closed.structuredContent).toEqual({ closed: true });
    expect(await rows(server.audit, 'recalls')).toHaveLength(1);
  });

  test('a recall has one chunk and up to twelve candidates, unless the model asks for others', async () => {
    const client = await connect('cto');
    const intent = 'hand over a release that is down to a person at the heartbeat';
    const recall = async (more: object, name = 'recall_instruction') => {
      const { structuredContent } = await client.callTool({ name, arguments: { intent, ...more } });
      return RecallResponse.loose().parse(structuredContent);
    };
    const plain = await recall({});
    expect([plain.chunks.length, plain.candidates?.length, plain.more_candidates]).toEqual([1, 4, 0]);
    const none = await recall({ max_chunks: null, candidates: null }, 'explain_recall');
    expect([none.chunks.length, none.candidates?.length]).toEqual([1, 4]);
    const other = await recall({ max_chunks: 3, candidates: 1 });
    expect([other.chunks.length, other.candidates?.length]).toEqual([3, 1]);
    expect(await recall({ candidates: 0 })).not.toHaveProperty('candidates');
  });

  test('a model recalls a candidate by its name, which the audit keeps as one find, or says that nothing fits', async () => {
    const client = await connect('cto');
    const call = async (name: string, given: object) => {
      const { structuredContent, isError } = await client.callTool({ name, arguments: { ...given } });
      expect(isError).toBeFalsy();
      return structuredContent;
    };
    const first = RecallResponse.parse(await call('recall_instruction', { intent: 'a person at the heartbeat' }));
    const [{ name }] = first.candidates as [RecallCandidate];
    const choice = { intent: name, manifest_hint: [name], follows: first.audit_token };
    const second = RecallResponse.parse(await call('recall_instruction', choice));
    expect(second.chunks.map((it) => it.name)).toEqual([name]);
    await call('close_recall', { audit_token: second.audit_token, used_chunks: [name] });
    await call('close_recall', { audit_token: first.audit_token, nothing_fits: true });
    const { finds } = (await server.ask('admin', 'GET', '/v1/agents/cto/metrics')).json() as unknown as AgentMetrics;
    expect(finds).toEqual({ reported: 2, first: 0.5, choice: 0.5, none: 0 });
  });

  test('the tools are three, cost fewer than 1,500 tokens, and take what the boot stub says', async () => {
    const client = await connect('cto');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['recall_instruction', 'explain_recall', 'close_recall']);
    expect(tools[0]?.inputSchema).toEqual(toolSchema(McpRecallRequest));
    expect(tools[0]?.inputSchema.properties).toMatchObject({ max_chunks: { default: 1 }, candidates: { default: 12 } });
    expect(countTokens(JSON.stringify({ tools }))).toBeLessThan(1500);
  });

  test.each(['/mcp', '/v1/mcp'])(
    'no tool of %s announces null beside a default, and a call may send it',
    async (path) => {
      const client = await connect('cto', {}, path);
      const { tools } = await client.listTools();
      const schemas = tools.flatMap(({ inputSchema }) => Object.values(inputSchema.properties ?? {}) as object[]);
      expect(schemas.filter((it) => 'default' in it).length).toBeGreaterThan(0);
      expect(schemas.filter((it) => 'default' in it && 'anyOf' in it)).toEqual([]);
      const given = { intent: 'hand over', max_chunks: null, token_budget: null, manifest_hint: null };
      expect((await client.callTool({ name: 'recall_instruction', arguments: given })).isError).toBeFalsy();
    },
  );

  test.each([
    ['recall_instruction', { question: 'x' }, 'intent_required'],
    ['recall_instruction', { intent: 'x', max_chunks: 999 }, 'request_invalid'],
    ['explain_recall', {}, 'intent_required'],
    ['close_recall', { audit_token: 'nonsense' }, 'audit_token_invalid'],
  ] as const)(
    'a client that knows the schemas of answers shows its model why %s %j failed',
    async (name, given, code) => {
      const client = await connect('cto');
      const { tools } = await client.listTools();
      expect(tools.find((it) => it.name === name)?.outputSchema).toBeDefined();
      expect(await client.callTool({ name, arguments: given })).toMatchObject(failedWith(code));
    },
  );
});
