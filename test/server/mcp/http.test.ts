import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import type { AgentMetrics } from '../../../compiler/schema/api/metrics.ts';
import { rows } from '../audit-file.ts';
import { compiledPeers } from '../deployment.ts';
import { running, type Running, type Who } from '../running.ts';
import { failedWith, pagesIn, textIn, tokenIn } from './asking.ts';

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
  /** The text of a tool's answer, which is all of it. */
  const told = async (client: Client, name: string, given: object) => {
    const { content, isError, ...more } = await client.callTool({ name, arguments: { ...given } });
    expect([isError ?? false, more]).toEqual([false, {}]);
    return textIn({ content });
  };

  test('a recall is answered, recorded and closed by its token', async () => {
    const client = await connect('cto');
    const text = await told(client, 'recall_instruction', { intent: 'hand over' });
    expect(pagesIn(text)).toContain('wrap-up');
    const closing = { audit_token: tokenIn(text), used_chunks: ['wrap-up'] };
    expect(await told(client, 'close_recall', closing)).toBe('Closed.');
    expect(await rows(server.audit, 'recalls')).toHaveLength(1);
  });

  test('a model takes another name, which the audit keeps as one find, or says that nothing fits', async () => {
    const client = await connect('cto');
    const first = await told(client, 'recall_instruction', { intent: 'a person at the heartbeat' });
    const name = /^- (\S+): /m.exec(first)?.[1] ?? '';
    const second = await told(client, 'recall_instruction', { manifest_hint: [name], follows: tokenIn(first) });
    expect([pagesIn(second), second.includes('Or by name')]).toEqual([[name], false]);
    await told(client, 'close_recall', { audit_token: tokenIn(second), used_chunks: [name] });
    await told(client, 'close_recall', { audit_token: tokenIn(first), nothing_fits: true });
    const { finds } = (await server.ask('admin', 'GET', '/v1/agents/cto/metrics')).json() as unknown as AgentMetrics;
    expect(finds).toEqual({ reported: 2, first: 0.5, choice: 0.5, none: 0 });
  });

  test('the tools are two, without bounds, defaults and schemas of answers, and cost at most 230 tokens', async () => {
    const { tools } = await (await connect('cto')).listTools();
    expect(tools.map(({ name }) => name)).toEqual(['recall_instruction', 'close_recall']);
    expect(tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}))).toEqual([
      ...['intent', 'files', 'manifest_hint', 'follows'],
      ...['audit_token', 'used_chunks', 'missed_chunks', 'nothing_fits'],
    ]);
    expect(JSON.stringify(tools)).not.toMatch(/default|max|min|outputSchema|null/);
    const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    expect(countTokens(JSON.stringify(shown))).toBeLessThanOrEqual(230);
  });

  test('no tool of /v1/mcp announces null beside a default, and a call of both may send it', async () => {
    const given = { intent: 'hand over', max_chunks: null, token_budget: null, manifest_hint: null, files: null };
    for (const path of ['/mcp', '/v1/mcp']) {
      const client = await connect('cto', {}, path);
      const { tools } = await client.listTools();
      const schemas = tools.flatMap(({ inputSchema }) => Object.values(inputSchema.properties ?? {}) as object[]);
      expect(schemas.filter((it) => 'default' in it && 'anyOf' in it)).toEqual([]);
      expect((await client.callTool({ name: 'recall_instruction', arguments: given })).isError).toBeFalsy();
    }
  });

  test.each([
    ['recall_instruction', { manifest_hint: [' '] }, 'intent_required', /intent .* or manifest_hint/],
    ['recall_instruction', { intent: 'x', max_chunks: 999 }, 'request_invalid', /max_chunks: .*at most 50/],
    ['recall_instruction', { intent: 'x', question: 'y' }, 'request_invalid', /known keys: .*intent/],
    ['recall_instruction', { intent: 'x', follows: true }, 'request_invalid', /follows: .*string/],
    ['recall_instruction', { intent: 'x', files: ['/a'] }, 'request_invalid', /files\.0: write it relative/],
    ['close_recall', { audit_token: 'nonsense' }, 'audit_token_invalid', /not issued/],
  ] as const)('%s %j fails as %s, with one line that says what is right', async (name, given, code, said) => {
    const failed = await (await connect('cto')).callTool({ name, arguments: given });
    expect(failed).toMatchObject(failedWith(code));
    expect(textIn(failed)).toMatch(said);
    expect(countTokens(textIn(failed))).toBeLessThan(50);
  });
});
