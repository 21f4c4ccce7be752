import { appendFileSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
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
let whole: string;

beforeAll(async () => {
  whole = (await compileToFolder(peers().path, { trust })).out;
});

/** A server on a copy of the bundle, changed before it starts. */
function started(change: (bundle: string) => void = () => undefined): Promise<Running> {
  const bundle = tempFolder();
  cpSync(whole, bundle, { recursive: true });
  change(bundle);
  return running({ bundle, trust });
}

const fact = async (server: Running, uri = URI) =>
  (await server.ask('cto', 'GET', `/v1/facts/${encodeURIComponent(uri)}`)).json() as unknown as FactVersion;

/** The list that takes these facts out, as the server served them. */
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
const becomes = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 30_000, interval: 50 });

describe('DESIGN §7 a withdrawal takes a fact out of a running server', () => {
  test('from recalls and from GET /v1/facts, and the rest goes on', async () => {
    const server = await started();
    expect(await names(server, 'done for today')).toContain('wrap-up');
    expect(await ready(server)).toMatchObject({ status: 'ready', held: 0, withdrawn: 0, fresh: null });
    writeFileSync(join(server.bundle, WITHDRAWN), await listOf(server, [URI]));
    await becomes(async () => {
      expect(await names(server, 'done for today')).not.toContain('wrap-up');
    });
    expect(await fact(server)).toMatchObject({
      uri: URI,
      content: '',
      withheld: 'withdrawn',
      digest: expect.any(String) as string,
    });
    expect(await names(server, 'production is down')).toContain('incident');
    expect(await ready(server)).toMatchObject({ status: 'ready', withdrawn: 1 });
  });

  test('also when it is asked for by name', async () => {
    const server = await started();
    writeFileSync(join(server.bundle, WITHDRAWN), await listOf(server, [URI]));
    await becomes(async () => {
      const answer = await server.recall('cto', 'cto', { intent: '`wrap-up`', manifest_hint: ['wrap-up'] });
      expect((answer.json()['chunks'] as { name: string }[]).map((it) => it.name)).not.toContain('wrap-up');
    });
  });

  test('a shared fact, from every agent', async () => {
    const server = await started();
    expect(await names(server, 'I need a person to decide', 'ct')).toContain('escalation');
    writeFileSync(join(server.bundle, WITHDRAWN), await listOf(server, [SHARED_URI]));
    await becomes(async () => {
      expect(await names(server, 'I need a person to decide', 'ct')).not.toContain('escalation');
    });
    expect(await names(server, 'I need a person to decide')).not.toContain('escalation');
  });

  test('before the first answer, where the list is there at the start', async () => {
    const list = await listOf(await started(), [URI]);
    const server = await started((bundle) => {
      writeFileSync(join(bundle, WITHDRAWN), list);
    });
    expect(await names(server, 'done for today')).not.toContain('wrap-up');
    expect(await ready(server)).toMatchObject({ withdrawn: 1 });
  });
});

describe('DESIGN §7 what was withdrawn does not come back while the server lives', () => {
  test.each([
    [
      'emptied',
      (path: string) => {
        writeFileSync(path, '{"format":1,"envelopes":[]}');
      },
    ],
    [
      'removed',
      (path: string) => {
        rmSync(path);
      },
    ],
    [
      'damaged',
      (path: string) => {
        appendFileSync(path, 'x');
      },
    ],
  ])('when the list is %s', async (_, change) => {
    const server = await started();
    const path = join(server.bundle, WITHDRAWN);
    const [one, both] = [await listOf(server, [URI]), await listOf(server, [URI, SHARED_URI])];
    writeFileSync(path, one);
    await becomes(async () => {
      expect(await ready(server)).toMatchObject({ withdrawn: 1 });
    });
    change(path);
    // a later order is noticed after this change was
    await vi.waitFor(() => {
      expect(server.log.length).toBeGreaterThan(2);
    }, 30_000);
    expect(await names(server, 'done for today')).not.toContain('wrap-up');
    writeFileSync(path, both);
    await becomes(async () => {
      expect(await ready(server)).toMatchObject({ withdrawn: 2 });
    });
    expect(await names(server, 'done for today')).not.toContain('wrap-up');
  });

  test('a record that does not hold is logged once, and what was ordered stays in force', async () => {
    const server = await started();
    const path = join(server.bundle, WITHDRAWN);
    const [good, forged] = [await listOf(server, [URI]), await listOf(server, [SHARED_URI], newSigner())];
    writeFileSync(path, good);
    await becomes(async () => {
      expect(await ready(server)).toMatchObject({ withdrawn: 1 });
    });
    const errors = () => server.log.filter((it) => it['level'] === 50);
    writeFileSync(path, forged);
    await vi.waitFor(() => {
      expect(errors()).toHaveLength(1);
    }, 30_000);
    writeFileSync(path, await listOf(server, [URI, SHARED_URI]));
    await becomes(async () => {
      expect(await ready(server)).toMatchObject({ withdrawn: 2 });
    });
    expect(errors()).toHaveLength(1);
  });

  test('a server does not start with a list that cannot be read: an order must not be lost', async () => {
    const start = started((bundle) => {
      writeFileSync(join(bundle, WITHDRAWN), '{}');
    });
    await expect(start).rejects.toMatchObject({ code: 'bundle_unverified', details: { reason: 'format_unknown' } });
  });
});
