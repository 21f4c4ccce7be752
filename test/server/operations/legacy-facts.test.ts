import { beforeAll, describe, expect, test } from 'vitest';
import { verifyChunk } from '../../../compiler/trust/verify-chunk.ts';
import { compiledLegacy, LEGACY_TEXT, type CompiledPeers } from '../deployment.ts';
import { httpClient } from '../doors.ts';
import { running, type Running } from '../running.ts';

interface Link {
  readonly subject: string;
  readonly envelope: object;
}

let peers: CompiledPeers;
let server: Running;

beforeAll(async () => {
  peers = await compiledLegacy();
  server = await running(peers);
});

const URI = 'instruction:acme/agent/cto/beat/v1';
const ask = () => server.ask('cto', 'GET', `/v1/facts/${encodeURIComponent(URI)}`);

describe('§21.6.1 a unit that has its text in a legacy file alone', () => {
  test('the boot stub leads to the heartbeat procedure, by HTTP and by MCP (§21.1.1)', async () => {
    const stub = (await server.ask('cto', 'GET', '/v1/agents/cto/boot-stub')).text;
    expect(stub).toContain(`Your heartbeat procedure is at \`${URI}\``);
    expect((await ask()).json()['content']).toBe(LEGACY_TEXT);
    const client = await httpClient(server, 'cto');
    const { contents } = await client.readResource({ uri: URI });
    await client.close();
    expect(contents).toMatchObject([{ uri: URI, text: LEGACY_TEXT }]);
  });

  test('a recall gives the text under the same URI, and the statement of the garden proves it by the path', async () => {
    const fact = (await ask()).json();
    const [link] = fact['attestation_chain'] as [Link];
    expect(link.subject).toBe('files/docs/beat.md');
    const asked = { intent: 'start a heartbeat', manifest_hint: ['beat'], max_chunks: 1 };
    const [chunk] = (await server.recall('cto', 'cto', asked)).json()['chunks'] as [
      { source: 'fallback_path'; fact_uri: string; content: string },
    ];
    expect(chunk).toMatchObject({ source: 'fallback_path', fact_uri: URI, content: LEGACY_TEXT });
    const envelope = Buffer.from(JSON.stringify(link.envelope));
    const verdict = (it: Parameters<typeof verifyChunk>[0]) =>
      verifyChunk(it, envelope, peers.trust.root.root, new Date().toISOString());
    expect(verdict(chunk)).toEqual({ ok: true, garden: 'cto' });
    expect(verdict({ ...chunk, content: 'Pay.' })).toMatchObject({ reason: 'digest_mismatch' });
    expect(verdict({ ...chunk, source: 'stigmem' })).toMatchObject({ reason: 'digest_mismatch' });
    expect(verdict({ ...chunk, fact_uri: `${URI}0` })).toMatchObject({ reason: 'file_unexpected' });
  });
});
