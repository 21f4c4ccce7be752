import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { Attested } from '../../../compiler/schema/api/attested.ts';
import { KEPT_MANIFESTS, KEPT_ROOTS } from '../../../compiler/schema/bundle/bundle.ts';
import { sha256 } from '../../../compiler/trust/canonical.ts';
import { compileToFolder, testTrust, type TestTrust } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { agentYaml, type Repository } from '../../support/repository.ts';
import { peers } from '../deployment.ts';
import { running, type Running } from '../running.ts';

const OTHER_ID = '5c1d2a43-7b0e-4f6a-8f1d-2a9e4c7b6d04';
const BUNDLES = KEPT_ROOTS + 3;
const trust = testTrust();
const repo = peers();
const out = tempFolder();
let first: number;

/** Compiles one more version of cto's manifest into the folder. */
async function publishNext(at: Repository, by: TestTrust, folder: string, n: number): Promise<void> {
  at.write('instructions/agents/cto/boot.md', `- Rule ${n}.\n`).commit(`rule ${n}`, 1_770_000_000 + n);
  await compileToFolder(at.path, { trust: by, out: folder, previous: folder });
}

beforeAll(async () => {
  await compileToFolder(repo.path, { trust, out });
  for (let n = 1; n < BUNDLES; n++) await publishNext(repo, trust, out, n);
  first = (await versionServed(out, trust)) - BUNDLES + 1;
}, 120_000);

async function serving<T>(bundle: string, by: TestTrust, ask: (server: Running) => Promise<T>): Promise<T> {
  const server = await running({ bundle, trust: by });
  try {
    return await ask(server);
  } finally {
    await server.close();
  }
}

const versionServed = (bundle: string, by: TestTrust) =>
  serving(bundle, by, async (server) => {
    const manifest = await server.ask('admin', 'GET', '/v1/agents/cto/instruction-manifest');
    return Number(String(manifest.json()['fact_uri']).split('/v')[1]);
  });

const uri = (version: number) => `instruction:acme/agent/cto/manifest/v${version}`;

/** The agent's answers for versions of its manifest. */
const versionsIn = (bundle: string, versions: readonly number[], by = trust) =>
  serving(bundle, by, async (server) => {
    const answers = [];
    for (const it of versions) answers.push(await server.ask('cto', 'GET', `/v1/facts/${encodeURIComponent(uri(it))}`));
    return answers;
  });

/** A copy of the bundle with a change of its oldest kept manifest. */
function changed(change: (place: string) => void): string {
  const copy = tempFolder();
  cpSync(out, copy, { recursive: true });
  change(join(copy, 'superseded', 'cto', String(first)));
  return copy;
}

describe('§21.4.2, §21.7 superseded manifests', () => {
  test('every superseded manifest is a fact with its provenance, and its valid_until is the created_at of the next', async () => {
    const versions = Array.from({ length: BUNDLES }, (_, at) => first + at);
    const facts = (await versionsIn(out, versions)).map((it) => it.json());
    expect(facts.map((it) => [it['version'], Attested.safeParse(it).success])).toEqual(
      versions.map((it) => [it, true]),
    );
    const next = facts.slice(1).map((it) => it['created_at']);
    expect(facts.map((it) => it['valid_until'])).toEqual([...next, null]);
    expect(facts.map((it) => it['digest'])).toEqual(facts.map((it) => sha256(String(it['content']))));
  });

  test('only the document and the signed statement of a superseded manifest are kept', () => {
    expect(readdirSync(join(out, 'gardens', 'cto'))).toHaveLength(KEPT_ROOTS);
    expect(readdirSync(join(out, 'superseded', 'cto', String(first))).sort()).toEqual([
      'garden.dsse.json',
      'manifest.json',
    ]);
  });

  test('a manifest in force is kept only in its garden', () => {
    expect(readdirSync(join(out, 'superseded'))).toEqual(['cto']);
  });
});

describe('verification of superseded manifests', () => {
  const holding = (name: string) => (at: string) => {
    writeFileSync(join(at, name), '{}');
  };
  const noFolder = (at: string) => {
    rmSync(at, { recursive: true });
    writeFileSync(at, '');
  };
  const replaced = (at: string) => {
    rmSync(at, { recursive: true });
    renameSync(join(at, '..', String(first + 1)), at);
  };
  const refused: readonly [string, (at: string) => void][] = [
    ['with a changed document', holding('manifest.json')],
    ['with a changed statement', holding('garden.dsse.json')],
    ['that is not a folder', noFolder],
    ['that was replaced by another version', replaced],
  ];

  test.each(refused)('a superseded manifest %s is fact_not_found, and others are still served', async (_, change) => {
    const [gone, stays] = await versionsIn(changed(change), [first, first + 2]);
    expect([gone?.code, stays?.status]).toEqual(['fact_not_found', 200]);
  });

  test('a superseded manifest that another key signed is fact_not_found', async () => {
    const other = testTrust();
    const theirs = peers();
    const folder = tempFolder();
    await compileToFolder(theirs.path, { trust: other, out: folder });
    for (let n = 1; n <= KEPT_ROOTS; n++) await publishNext(theirs, other, folder, n);
    const forged = changed((at) => {
      rmSync(at, { recursive: true });
      cpSync(join(folder, 'superseded', 'cto', String(first)), at, { recursive: true });
    });
    const [answer] = await versionsIn(forged, [first]);
    expect(answer?.code).toBe('fact_not_found');
    expect((await versionsIn(folder, [first], other))[0]?.status).toBe(200);
  });

  test('after a rollback, a version later than the one in force is fact_not_found', async () => {
    const older = changed(() => undefined);
    const [oldest = ''] = readdirSync(join(older, 'roots')).sort((a, b) => Number.parseInt(a) - Number.parseInt(b));
    cpSync(join(older, 'superseded/cto', String(first)), join(older, 'superseded/cto', String(first + BUNDLES)), {
      recursive: true,
    });
    writeFileSync(join(older, 'current'), `${oldest}\n`);
    const [beyond, before] = await versionsIn(older, [first + BUNDLES - 1, first]);
    expect([beyond?.code, before?.status]).toEqual(['fact_not_found', 200]);
  });
});

describe('limits of superseded manifests', () => {
  test(`the newest ${KEPT_MANIFESTS} manifests of an agent are kept, and none of a removed agent`, async () => {
    const bundle = changed((at) => {
      for (let n = 1; n <= KEPT_MANIFESTS; n++) cpSync(at, `${at.slice(0, -1)}${1000 + n}`, { recursive: true });
      cpSync(join(at, '..'), join(at, '../../gone'), { recursive: true });
    });
    await publishNext(repo, trust, bundle, BUNDLES);
    const kept = readdirSync(join(bundle, 'superseded', 'cto')).map(Number);
    expect([kept.length, Math.min(...kept)]).toEqual([KEPT_MANIFESTS, 1001]);
    expect(readdirSync(join(bundle, 'superseded'))).toEqual(['cto']);
  });

  test('§21.4.5 superseded manifests of a former agent with the same short name cannot be read', async () => {
    const bundle = changed(() => undefined);
    repo.write('instructions/agents/cto/agent.yaml', agentYaml(OTHER_ID)).commit('replace', 1_770_000_900);
    await compileToFolder(repo.path, { trust, out: bundle, previous: bundle });
    const answer = await serving(bundle, trust, (server) =>
      server.ask('admin', 'GET', `/v1/facts/${encodeURIComponent(uri(first))}`),
    );
    expect(answer.code).toBe('fact_not_found');
    expect(readFileSync(join(bundle, 'superseded/cto', String(first), 'manifest.json'), 'utf8')).toContain('cto');
  });
});
