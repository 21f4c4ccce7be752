import { beforeAll, describe, expect, test } from 'vitest';
import { GardenStatement, IN_TOTO_TYPE } from '../../../compiler/schema/bundle/garden.ts';
import { sha256 } from '../../../compiler/trust/canonical.ts';
import { openEnvelope } from '../../../compiler/trust/dsse.ts';
import { compiledPeers, CTO_ID, type CompiledPeers } from '../deployment.ts';
import { running, type Answer, type Running, type Who, statusAndCode } from '../running.ts';

let server: Running;
let peers: CompiledPeers;

beforeAll(async () => {
  peers = await compiledPeers();
  server = await running(peers);
});

/** The digest of a URI in the signed statement of a fact's attestation chain. */
function attested(fact: Record<string, unknown>, uri: string): string | undefined {
  const [link] = fact['attestation_chain'] as { subject: string; envelope: object }[];
  const { root } = peers.trust.root;
  const payload = openEnvelope(
    Buffer.from(JSON.stringify(link?.envelope)),
    IN_TOTO_TYPE,
    root,
    root.roles.bundle,
    null,
  );
  const { subject } = GardenStatement.parse(JSON.parse(payload.toString('utf8')));
  expect(link?.subject).toBe(uri);
  return subject.find((it) => it.name === uri)?.digest.sha256;
}

const ask = (who: Who, uri: string) => server.ask(who, 'GET', `/v1/facts/${encodeURIComponent(uri)}`);
const bytesOf = ({ status, headers, text }: Answer) => ({ status, headers, text });
const DECISION = 'instruction:acme/agent/cto/release-decision';

describe('§21.4.2 a fact by its URI', () => {
  test('the latest version of a fact has no valid_until, and its provenance (§21.4.3)', async () => {
    const answer = await ask('cto', `${DECISION}/v2`);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({
      uri: `${DECISION}/v2`,
      name: 'release-decision',
      version: 2,
      valid_until: null,
      authored_by: 'acme/human/ada-lovelace',
    });
    expect(answer.json()['content']).toContain('Second text.');
  });

  test('a proxy that decodes %2F changes nothing: not the fact, and not who may read it', async () => {
    const foreign = 'instruction:acme/agent/cto2/budget/v1';
    const decoded = (who: Who, path: string) => server.ask(who, 'GET', `/v1/facts/${path}`);
    for (const uri of [
      `${DECISION}/v1`,
      `${DECISION}/v9`,
      foreign,
      'instruction:acme/heartbeat/v1',
      'instruction:acme/a/b/c/d',
    ])
      for (const who of ['cto', 'admin'] as const)
        expect(bytesOf(await decoded(who, uri))).toMatchObject({ ...bytesOf(await ask(who, uri)), headers: {} });
    const half = `${DECISION}/v1`.replace('/', '%2F');
    expect((await decoded('cto', half)).status).toBe(200);
    expect(statusAndCode(await decoded('cto', foreign))).toEqual([403, 'instruction_scope_denied']);
    for (const wrong of [`${DECISION}//v1`, `x/${DECISION}/v1`, `${DECISION}/v1/`, `${DECISION}%252Fv1`])
      expect([400, 404]).toContain((await decoded('cto', wrong)).status);
  });

  test('an older version of a fact stays readable; its valid_until is the created_at of the next', async () => {
    const [old, next] = [await ask('cto', `${DECISION}/v1`), await ask('cto', `${DECISION}/v2`)];
    expect(old.status).toBe(200);
    expect(old.json()['content']).toContain('First text.');
    expect(old.json()['valid_until']).toBe(next.json()['created_at']);
    expect(next.json()['derived_from']).toBe(old.json()['source_digest']);
  });

  test('URIs without agent/, and with the UUID, name the same fact (DESIGN §6.1)', async () => {
    const { text } = await ask('cto', `${DECISION}/v1`);
    expect((await ask('cto', 'instruction:acme/cto/release-decision/v1')).text).toBe(text);
    expect((await ask('cto', `instruction:acme/agent/${CTO_ID}/release-decision/v1`)).text).toBe(text);
  });

  test.each(['v1', 'v2'])('§21.4.3 the attestation chain of %s verifies with only the trust root', async (version) => {
    const fact = (await ask('cto', `${DECISION}/${version}`)).json();
    expect(fact['digest']).toBe(sha256(String(fact['content'])));
    expect(attested(fact, `${DECISION}/${version}`)).toBe(fact['digest']);
  });

  test('§21.4.1 the fact_uri of a manifest returns the manifest as an attested fact', async () => {
    const manifest = await server.ask('cto', 'GET', '/v1/agents/cto/instruction-manifest');
    const uri = String(manifest.json()['fact_uri']);
    const answer = await ask('cto', uri);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ uri, name: 'manifest', content: manifest.text });
    expect(attested(answer.json(), uri)).toBe(sha256(manifest.text));
  });
});

describe('§21.4.4 who can read which fact', () => {
  test.each(['cto', 'cto2', 'ct', 'admin'] as const)('%s can read a shared fact', async (who) => {
    const answer = await ask(who, 'instruction:acme/heartbeat/v1');
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ uri: 'instruction:acme/heartbeat/v1', version: 1 });
  });

  test('a fact of another agent is denied, with the same answer for an unknown one', async () => {
    const one = await ask('cto', 'instruction:acme/agent/cto2/budget/v1');
    expect(statusAndCode(one)).toEqual([403, 'instruction_scope_denied']);
    const others = [
      'instruction:acme/agent/cto2/budget/v2',
      'instruction:acme/cto2/budget/v1',
      'instruction:acme/agent/cto2/nothing/v1',
      'instruction:acme/agent/nobody/budget/v1',
      'instruction:acme/agent/shared/heartbeat/v1',
      'instruction:acme/agent/ct/manifest/v1',
      'instruction:elsewhere/agent/cto/release-decision/v1',
      'instruction:elsewhere/heartbeat/v1',
    ];
    for (const uri of others) expect([uri, bytesOf(await ask('cto', uri))]).toEqual([uri, bytesOf(one)]);
  });

  test('an administrator can read facts of all agents', async () => {
    for (const uri of ['agent/cto2/budget/v1', 'agent/ct/scans/v1', 'agent/cto/release-decision/v1']) {
      expect([uri, (await ask('admin', `instruction:acme/${uri}`)).status]).toEqual([uri, 200]);
    }
  });

  test('a missing fact of the own or the shared garden is fact_not_found', async () => {
    for (const uri of ['agent/cto/nothing/v1', 'agent/cto/release-decision/v3', 'heartbeat/v2', 'nothing/v1']) {
      expect([uri, ...statusAndCode(await ask('cto', `instruction:acme/${uri}`))]).toEqual([
        uri,
        404,
        'fact_not_found',
      ]);
    }
    for (const uri of ['acme/agent/nobody/x/v1', 'elsewhere/heartbeat/v1', 'acme/agent/cto2/budget/v2']) {
      expect([uri, ...statusAndCode(await ask('admin', `instruction:${uri}`))]).toEqual([uri, 404, 'fact_not_found']);
    }
  });
});

describe('§21.4.1 malformed URIs', () => {
  test.each([
    'nonsense',
    'instruction:',
    'instruction:acme',
    'instruction:acme/agent/cto/wrap-up',
    'instruction:acme/agent/cto/wrap-up/latest',
    'instruction:acme/agent/cto/wrap-up/v0',
    'instruction:acme/agent/cto/wrap-up/v01',
    'instruction:acme/agent/cto/wrap-up/v-1',
    'instruction:acme/agent/cto/wrap-up/v1/v1',
    'instruction:acme/agent/cto/../cto2/budget/v1',
    'instruction:acme/agent/CTO/wrap-up/v1',
    'instruction:acme/agent/cto/wrap-up/v1\n',
    'instruction:acme/agent/cto/wrap-up/v1\0',
    ' instruction:acme/agent/cto/wrap-up/v1',
    'stigmem:acme/agent/cto/wrap-up/v1',
  ])('the fact URI %j is request_invalid', async (uri) => {
    expect(statusAndCode(await ask('cto', uri))).toEqual([400, 'request_invalid']);
    expect(statusAndCode(await ask('admin', uri))).toEqual([400, 'request_invalid']);
  });

  test('a fact URI of 4,000 letters, or with a broken encoding, is request_invalid', async () => {
    expect(statusAndCode(await ask('cto', 'x'.repeat(4000)))).toEqual([400, 'request_invalid']);
    expect(statusAndCode(await server.ask('cto', 'GET', '/v1/facts/%ZZ'))).toEqual([400, 'request_invalid']);
  });
});
