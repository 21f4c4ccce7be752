import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import { recallToolSchema } from '../../../compiler/schema/api/recall-tool.ts';
import { RecallResponse } from '../../../compiler/schema/api/recall.ts';
import { rows } from '../audit-file.ts';
import { compiledPeers } from '../deployment.ts';
import { running, type Running, type Who } from '../running.ts';

let server: Running;
const clients: Client[] = [];

beforeAll(async () => {
  server = await running(await compiledPeers());
});

afterAll(async () => {
  for (const client of clients) await client.close();
});

/** A client of the official SDK, with somebody's key. */
async function connect(who: Who, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
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

  test('the tools are three, cost fewer than 1,500 tokens, and take what the boot stub says', async () => {
    const client = await connect('cto');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['recall_instruction', 'explain_recall', 'close_recall']);
    expect(tools[0]?.inputSchema).toEqual(recallToolSchema());
    expect(countTokens(JSON.stringify({ tools }))).toBeLessThan(1500);
  });
});
