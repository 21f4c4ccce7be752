import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { compiledPeers } from '../deployment.ts';
import { running, type Running } from '../running.ts';
import { INITIALIZED, initialize, LATEST_META, latestHeaders, postMcp, rpc, toolCall } from './asking.ts';

let server: Running;

beforeAll(async () => {
  server = await running(await compiledPeers());
});

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const WRAP_UP = { content: [{ text: expect.stringMatching(/^## wrap-up v1\n/) as string }] };
const INTENT = { intent: 'hand over', max_chunks: 1 };

describe('the revisions of MCP', () => {
  test.each(INITIALIZED)(
    'a client of %s negotiates its revision, reads the product’s version, and recalls',
    async (revision) => {
      const [hello] = (await postMcp(server, 'cto', initialize(revision))).messages();
      expect(hello?.result).toMatchObject({ protocolVersion: revision, serverInfo: { name: 'vademecum', version } });
      const headers = { 'mcp-protocol-version': revision };
      const answer = await postMcp(server, 'cto', toolCall('recall_instruction', INTENT), { headers });
      expect(answer.messages()[0]?.result).toMatchObject(WRAP_UP);
      expect(answer.headers['mcp-session-id']).toBeUndefined();
    },
  );

  test('a client of 2026-07-28 discovers it, and recalls without a handshake', async () => {
    const found = rpc('server/discover', { _meta: LATEST_META });
    const [told] = (await postMcp(server, 'cto', found, { headers: latestHeaders('server/discover') })).messages();
    expect(told?.result).toMatchObject({ supportedVersions: ['2026-07-28'] });
    const headers = latestHeaders('tools/call', 'recall_instruction');
    const call = toolCall('recall_instruction', INTENT, { _meta: LATEST_META });
    expect((await postMcp(server, 'cto', call, { headers })).messages()[0]?.result).toMatchObject(WRAP_UP);
  });

  test('a client of a revision that is yet to come gets one that is there', async () => {
    const [hello] = (await postMcp(server, 'cto', initialize('2099-01-01'))).messages();
    expect(hello?.result?.['protocolVersion']).toBe('2025-11-25');
  });

  test('a subscription of 2026-07-28 is refused, and no stream stays open', async () => {
    const listen = rpc('subscriptions/listen', { _meta: LATEST_META, notifications: { toolsListChanged: true } });
    const answer = await postMcp(server, 'cto', listen, { headers: latestHeaders('subscriptions/listen') });
    expect([answer.status, answer.messages()[0]?.error?.code]).toEqual([404, -32601]);
  });

  test('a session that a client claims is ignored', async () => {
    const headers = { 'mcp-session-id': 'stolen', 'last-event-id': '7' };
    expect((await postMcp(server, 'cto', rpc('ping'), { headers })).status).toBe(200);
  });
});
