import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Attested } from '../../../compiler/schema/api/attested.ts';
import { sha256 } from '../../../compiler/trust/canonical.ts';
import { compileToFolder, testTrust } from '../../support/compiled.ts';
import { agentYaml } from '../../support/repository.ts';
import { CTO2_ID, peers } from '../deployment.ts';
import { running, type Running, type Who } from '../running.ts';
import { announce, revisionOf, together } from '../successive.ts';

const OTHER_ID = '5c1d2a43-7b0e-4f6a-8f1d-2a9e4c7b6d04';
const uri = (agent: string, version: number) => `instruction:acme/agent/${agent}/manifest/v${version}`;
const factOf = (server: Running, who: Who, of: string) => server.ask(who, 'GET', `/v1/facts/${encodeURIComponent(of)}`);

let server: Running;
let versions: { cto: number; cto2: number };

beforeAll(async () => {
  const trust = testTrust();
  const repo = peers();
  const folders: string[] = [];
  const compile = async () => {
    const previous = folders.at(-1);
    folders.push((await compileToFolder(repo.path, { trust, ...(previous !== undefined && { previous }) })).out);
  };
  await compile();
  repo
    .write('instructions/agents/cto/boot.md', '- Ask first.\n')
    .commit('rule', 1_770_000_000, 'Bob <bob@example.com>');
  await compile();
  // another agent takes over the short name
  repo.write('instructions/agents/cto2/agent.yaml', agentYaml(OTHER_ID)).commit('replace', 1_770_000_060);
  await compile();
  const revisions = folders.map(revisionOf);
  const bundle = together({ folders, revisions });
  announce(bundle, revisions[2] ?? '');
  server = await running({ bundle, trust });
  const versionOf = async (agent: 'cto' | 'cto2') => {
    const manifest = await server.ask('admin', 'GET', `/v1/agents/${agent}/instruction-manifest`);
    return Number(String(manifest.json()['fact_uri']).split('/v')[1]);
  };
  versions = { cto: await versionOf('cto'), cto2: await versionOf('cto2') };
}, 120_000);

afterAll(() => server.close());

describe('§21.4.3 a manifest is a fact with every field of its provenance', () => {
  test('a manifest fact has the author and the time of the commit that made its version', async () => {
    const answer = await factOf(server, 'cto', uri('cto', versions.cto));
    const fact = answer.json();
    expect(Attested.safeParse(fact).success).toBe(true);
    expect(fact).toMatchObject({
      name: 'manifest',
      version: versions.cto,
      source_trust: 0.5,
      verified: false,
      authored_by: 'acme/human/bob',
      created_at: '2026-02-02T02:40:00Z',
      valid_until: null,
      derived_from: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      source_digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    expect(Date.parse(String(fact['authored_at']))).not.toBeNaN();
    expect((fact['attestation_chain'] as unknown[]).length).toBe(1);
  });

  test('an earlier manifest stays readable, with its valid_until, and the next one is derived from it', async () => {
    const [older, newer] = [
      (await factOf(server, 'cto', uri('cto', versions.cto - 1))).json(),
      (await factOf(server, 'cto', uri('cto', versions.cto))).json(),
    ];
    expect(Attested.safeParse(older).success).toBe(true);
    expect(older).toMatchObject({ version: versions.cto - 1, valid_until: newer['created_at'] });
    expect(older['authored_by']).toBe('acme/human/ada-lovelace');
    expect([newer['derived_from'], sha256(String(older['content']))]).toEqual([
      older['source_digest'],
      older['digest'],
    ]);
    expect(older['content']).not.toBe(newer['content']);
  });

  test('the first manifest is derived from none, and an unknown version is fact_not_found', async () => {
    const first = await factOf(server, 'admin', uri('ct', 1));
    expect(first.json()).toMatchObject({ version: 1, derived_from: null });
    for (const version of [versions.cto + 1, 99]) {
      expect((await factOf(server, 'cto', uri('cto', version))).code).toBe('fact_not_found');
    }
  });

  test('§21.4.5 the manifests of a former agent are not given to a new agent with its short name', async () => {
    expect((await factOf(server, 'cto2', uri('cto2', versions.cto2))).status).toBe(200);
    expect((await factOf(server, 'cto2', uri('cto2', versions.cto2 - 1))).code).toBe('fact_not_found');
    expect((await factOf(server, 'cto', uri('cto2', versions.cto2 - 1))).code).toBe('instruction_scope_denied');
    expect(OTHER_ID).not.toBe(CTO2_ID);
  });
});
