import { get } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { openBundle, type ProvenGarden } from '../../../compiler/io/bundle/open-bundle.ts';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import { Manifest } from '../../../compiler/schema/bundle/manifest.ts';
import { compiledPeers } from '../deployment.ts';
import { running, type Running } from '../running.ts';

let server: Running;
let signed: ProvenGarden;

beforeAll(async () => {
  const peers = await compiledPeers();
  signed = openBundle(peers.bundle, { pinned: peers.trust.root, now: new Date().toISOString() }).readGarden('cto');
  server = await running(peers);
});

const STUB = '/v1/agents/cto/boot-stub';
const MANIFEST = '/v1/agents/cto/instruction-manifest';
const signedText = (path: string) => signed.files.get(path)?.toString('utf8');

describe('§21.8.1 the boot stub', () => {
  test('the boot stub is Markdown, with headers for its version, the manifest’s version and its token count', async () => {
    const { status, headers, text } = await server.ask('cto', 'GET', STUB);
    const { manifest_version } = Manifest.parse((await server.ask('cto', 'GET', MANIFEST)).json());
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/markdown\b/);
    expect(headers['x-stub-version']).toBe('1');
    expect(headers['x-manifest-version']).toBe(manifest_version);
    const body = text.slice(text.indexOf('\n---\n\n') + '\n---\n\n'.length);
    expect(headers['x-token-count']).toBe(String(countTokens(body)));
  });

  test('the boot stub is the generic one without a profile', async () => {
    expect((await server.ask('cto', 'GET', STUB)).text).toBe(signedText('stubs/generic.md'));
    expect((await server.ask('cto', 'GET', `${STUB}?profile=generic`)).text).toBe(signedText('stubs/generic.md'));
  });

  test('the boot stub of a profile is served on request', async () => {
    const answer = await server.ask('cto', 'GET', `${STUB}?profile=openai-assistants`);
    expect(answer.text).toBe(signedText('stubs/openai-assistants.md'));
    expect(answer.text).toContain('adapter_profile: "openai-assistants"');
  });

  test.each(['klingon', 'paperclip-claude-code', '', 'GENERIC', '__proto__', '..%2Ffacts', 'a&profile=b'])(
    'the boot stub is the generic one for the profile “%s”, which this agent lacks (§21.1.3)',
    async (profile) => {
      const generic = await server.ask('cto', 'GET', STUB);
      const answer = await server.ask('cto', 'GET', `${STUB}?profile=${profile}`);
      expect([answer.status, answer.text]).toEqual([200, generic.text]);
      expect(answer.headers['etag']).toBe(generic.headers['etag']);
    },
  );
});

describe('§21.8.2 the manifest', () => {
  test('the manifest has the documented shape, and equals the signed file byte by byte', async () => {
    const { status, headers, text, json } = await server.ask('cto', 'GET', MANIFEST);
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^application\/json\b/);
    const manifest = Manifest.parse(json());
    expect(manifest.entries.map((it) => it.name)).toEqual(['incident', 'release-decision', 'wrap-up']);
    expect(manifest.token_count).toBe(countTokens(text));
    expect(text).toBe(signedText('manifest.json'));
  });

  test('the manifest is the same for an administrator', async () => {
    expect((await server.ask('admin', 'GET', MANIFEST)).text).toBe(signedText('manifest.json'));
  });
});

/** Sends a request with these headers only. */
function plain(path: string, headers: Record<string, string>) {
  return new Promise<{ status: number | undefined; bytes: number; etag: string | undefined }>((resolve, reject) => {
    get(`${server.url}${path}`, { headers: { authorization: `Bearer ${server.keys.cto}`, ...headers } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => {
        resolve({ status: response.statusCode, bytes, etag: response.headers.etag });
      });
    }).on('error', reject);
  });
}

describe('DESIGN §8 stub and manifest carry an ETag and honour If-None-Match', () => {
  test.each([STUB, `${STUB}?profile=openai-assistants`, MANIFEST])(
    '%s has an ETag, and a matching If-None-Match gets 304',
    async (path) => {
      const { etag = '' } = await plain(path, {});
      expect(etag).toMatch(/^"[^"]+"$/);
      for (const known of [etag, `W/${etag}`, `"old", ${etag}`, '*']) {
        const answer = await plain(path, { 'if-none-match': known });
        expect([known, answer]).toEqual([known, { status: 304, bytes: 0, etag }]);
      }
      expect((await plain(path, { 'if-none-match': '"another"' })).status).toBe(200);
    },
  );

  test('a peer with a matching ETag is denied, and gets no 304', async () => {
    const { etag = '' } = await plain(STUB, {});
    const peer = await server.ask('ct', 'GET', STUB, { headers: { 'if-none-match': etag } });
    expect([peer.status, peer.headers['etag']]).toEqual([403, undefined]);
  });

  test('a client that sends Cache-Control: no-cache, as fetch does, gets 304 too', async () => {
    const { headers } = await server.ask('cto', 'GET', MANIFEST);
    const again = await server.ask('cto', 'GET', MANIFEST, { headers: { 'if-none-match': headers['etag'] ?? '' } });
    expect(again.status).toBe(304);
  });

  test('each document has a different ETag', async () => {
    const paths = [STUB, `${STUB}?profile=openai-assistants`, MANIFEST];
    const tags = await Promise.all(paths.map(async (path) => (await server.ask('cto', 'GET', path)).headers['etag']));
    const peer = (await server.ask('cto2', 'GET', '/v1/agents/cto2/boot-stub')).headers['etag'];
    expect(new Set([...tags, peer]).size).toBe(4);
  });

  test('shared caches must not store stub and manifest', async () => {
    for (const path of [STUB, MANIFEST]) {
      expect((await server.ask('cto', 'GET', path)).headers['cache-control']).toMatch(/private|no-store/);
    }
  });
});
