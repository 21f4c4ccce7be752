import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { WITHDRAWN } from '../../../compiler/io/bundle/sidecar-files.ts';
import type { FactVersion } from '../../../compiler/schema/bundle/fact.ts';
import { addWithdrawal, signWithdrawal } from '../../../compiler/trust/withdrawal.ts';
import { compileToFolder, type TestTrust } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { newSigner, person, staff } from '../../support/staff.ts';
import { peers } from '../deployment.ts';
import { running, type Running } from '../running.ts';

const ann = person('ann');
const trust: TestTrust = staff([ann]);
const URI = 'instruction:acme/agent/cto/wrap-up/v1';
const SHARED_URI = 'instruction:acme/escalation/v1';
let original: string;

beforeAll(async () => {
  original = (await compileToFolder(peers().path, { trust })).out;
});

/** A server on a copy of the bundle, changed before it starts. */
function started(change: (bundle: string) => void = () => undefined): Promise<Running> {
  const bundle = tempFolder();
  cpSync(original, bundle, { recursive: true });
  change(bundle);
  return running({ bundle, trust, follow: { pollMs: 20 } });
}

const fact = async (server: Running, uri = URI) =>
  (await server.ask('cto', 'GET', `/v1/facts/${encodeURIComponent(uri)}`)).json() as unknown as FactVersion;

/** A list that withdraws these facts. */
async function listOf(server: Running, uris: readonly string[], signer = ann.signer): Promise<Buffer> {
  let file: Buffer | null = null;
  for (const fact_uri of uris) {
    const { digest } = await fact(server, fact_uri);
    const order = { deployment: 'acme', fact_uri, digest, reason: 'wrong', withdrawn_at: '2026-01-01T00:00:00Z' };
    file = addWithdrawal(file, signWithdrawal(order, [signer]));
  }
  return file ?? Buffer.from('');
}

const names = async (server: Running, intent: string, who: 'cto' | 'ct' = 'cto') => {
  const answer = await server.recall(who, who, { intent, max_chunks: 5, token_budget: 10_000 });
  return (answer.json()['chunks'] as { name: string }[]).map((it) => it.name);
};
const ready = async (server: Running) => (await server.ask(null, 'GET', '/readyz')).json();
const becomes = <T>(read: () => T) => expect.poll(read, { timeout: 30_000, interval: 50 });

describe('DESIGN §7 withdrawals in a running server', () => {
  test('a withdrawn fact is removed from recalls, and its text from GET /v1/facts; other facts are still served', async () => {
    const server = await started();
    expect(await names(server, 'done for today')).toContain('wrap-up');
    expect(await ready(server)).toMatchObject({ status: 'ready', held: 0, withdrawn: 0, fresh: null });
    writeFileSync(join(server.bundle, WITHDRAWN), await listOf(server, [URI]));
    await becomes(() => names(server, 'done for today')).not.toContain('wrap-up');
    expect(await fact(server)).toMatchObject({
      uri: URI,
      content: '',
      withheld: 'withdrawn',
      digest: expect.any(String) as string,
    });
    expect(await names(server, 'production is down')).toContain('incident');
    expect(await ready(server)).toMatchObject({ status: 'ready', withdrawn: 1 });
  });

  test('a withdrawn fact is not recalled by its name or as a hint', async () => {
    const server = await started();
    writeFileSync(join(server.bundle, WITHDRAWN), await listOf(server, [URI]));
    const hinted = async () => {
      const answer = await server.recall('cto', 'cto', { intent: '`wrap-up`', manifest_hint: ['wrap-up'] });
      return (answer.json()['chunks'] as { name: string }[]).map((it) => it.name);
    };
    await becomes(hinted).not.toContain('wrap-up');
  });

  test('a withdrawn shared fact is removed for every agent', async () => {
    const server = await started();
    expect(await names(server, 'I need a person to decide', 'ct')).toContain('escalation');
    writeFileSync(join(server.bundle, WITHDRAWN), await listOf(server, [SHARED_URI]));
    await becomes(() => names(server, 'I need a person to decide', 'ct')).not.toContain('escalation');
    expect(await names(server, 'I need a person to decide')).not.toContain('escalation');
  });

  test('a fact that is withdrawn before the start is never recalled', async () => {
    const list = await listOf(await started(), [URI]);
    const server = await started((bundle) => {
      writeFileSync(join(bundle, WITHDRAWN), list);
    });
    expect(await names(server, 'done for today')).not.toContain('wrap-up');
    expect(await ready(server)).toMatchObject({ withdrawn: 1 });
  });
});

describe('DESIGN §7 a withdrawn fact stays withdrawn while the server runs', () => {
  test.each([
    ['emptied', '{"format":1,"envelopes":[]}'],
    ['removed', null],
    ['damaged', '{"format":1,"envelopes":[]}x'],
  ])('a withdrawn fact stays withdrawn if the list is %s', async (_, text) => {
    const server = await started();
    const path = join(server.bundle, WITHDRAWN);
    const [one, both] = [await listOf(server, [URI]), await listOf(server, [URI, SHARED_URI])];
    writeFileSync(path, one);
    await becomes(() => ready(server)).toMatchObject({ withdrawn: 1 });
    if (text === null) rmSync(path);
    else writeFileSync(path, text);
    // waits until the change was noticed
    await expect.poll(() => server.log.length, { timeout: 30_000 }).toBeGreaterThan(2);
    expect(await names(server, 'done for today')).not.toContain('wrap-up');
    writeFileSync(path, both);
    await becomes(() => ready(server)).toMatchObject({ withdrawn: 2 });
    expect(await names(server, 'done for today')).not.toContain('wrap-up');
  });

  test('an invalid record is logged once, and earlier withdrawals stay in force', async () => {
    const server = await started();
    const path = join(server.bundle, WITHDRAWN);
    const [good, forged] = [await listOf(server, [URI]), await listOf(server, [SHARED_URI], newSigner())];
    writeFileSync(path, good);
    await becomes(() => ready(server)).toMatchObject({ withdrawn: 1 });
    const errors = () => server.log.filter((it) => it['level'] === 50);
    writeFileSync(path, forged);
    await expect.poll(() => errors(), { timeout: 30_000 }).toHaveLength(1);
    writeFileSync(path, await listOf(server, [URI, SHARED_URI]));
    await becomes(() => ready(server)).toMatchObject({ withdrawn: 2 });
    expect(errors()).toHaveLength(1);
  });

  test('a server does not start with a malformed withdrawal list', async () => {
    const start = started((bundle) => {
      writeFileSync(join(bundle, WITHDRAWN), '{}');
    });
    await expect(start).rejects.toMatchObject({ code: 'bundle_unverified', details: { reason: 'format_unknown' } });
  });
});
