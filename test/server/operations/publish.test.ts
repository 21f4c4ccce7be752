import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { publishedBy } from '../../../compiler/cli/child-publisher.ts';
import { ERRORS, type ErrorCode } from '../../../compiler/schema/errors.ts';
import type { Publish } from '../../../server/operations/call.ts';
import { press, type Press } from '../../cli/publishing.ts';
import { serve, vade } from '../../support/cli.ts';
import { unitFile } from '../../support/repository.ts';
import { assertContract } from '../contract.ts';
import { running } from '../running.ts';
import { BROKEN_SOURCES, MORE, REFUSED, TOO_LARGE, v2, WORDY } from './refused-publications.ts';

let to: Press;
let server: Awaited<ReturnType<typeof serve>>;
const keys: Record<string, string> = {};

beforeAll(async () => {
  to = await press((repo) => {
    const unit = (name: string, description: string, intents: string[]) =>
      repo.write(`instructions/agents/cto/${name}.md`, unitFile(description, intents));
    unit('hiring', 'How to recruit an engineer', ['interview a candidate', 'recruit an engineer']);
    unit('invoices', 'How an invoice is paid', ['pay an invoice', 'a supplier sent an invoice']);
    unit('backups', 'How a database is restored', ['restore the database', 'check a database backup']);
    const reasons = WORDY.map((it) => `  - ${it}\n`).join('');
    repo.write(
      'instructions/org.yaml',
      `deployment: acme\ncompiler: 0.1.0\nwake_reasons:\n  - manual\n  - routine_fired\n  - issue_assigned\n${reasons}`,
    );
  });
  const key = async (...holder: string[]) =>
    String((await vade(['key', 'create', ...holder, ...to.place.trust], to.folder)).envelope().data['key']);
  keys['admin'] = await key('--admin', to.place.ann.entity);
  keys['cto'] = await key('--agent', 'cto');
  server = await serve([...to.signed, '--publish', to.bare], to.folder);
});

afterAll(async () => {
  await server.stop();
});

interface PutResult {
  readonly status: number;
  readonly code: string | undefined;
  readonly body: Record<string, unknown>;
}

interface To {
  readonly url: string;
  readonly key: string | undefined;
}

const served = (who: 'admin' | 'cto' = 'admin'): To => ({ url: server.url, key: keys[who] });

async function put(body: unknown, { url: base, key }: To = served(), type = 'application/json'): Promise<PutResult> {
  const url = `${base}/v1/agents/cto/instruction-manifest`;
  const response = await fetch(url, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key ?? ''}`, 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  assertContract('PUT', url, { status: response.status, headers: Object.fromEntries(response.headers), text });
  const parsed = JSON.parse(text) as Record<string, unknown>;
  return { status: response.status, code: (parsed['error'] as { code?: string } | undefined)?.code, body: parsed };
}

/** Fails unless a publication is refused with this code, as the table of errors has it. */
async function assertRefused(code: ErrorCode, status: number, body: unknown, where?: To): Promise<void> {
  const { code: found, status: answered, body: answer } = await put(body, where);
  const what = JSON.stringify(body).slice(0, 80);
  expect([what, found, answered]).toEqual([what, code, status]);
  expect(answer['error']).toMatchObject({ code, retryable: ERRORS[code].retryable });
}

const head = () => to.git('rev-parse', 'main');

describe('§21.8.3 PUT', () => {
  test('each invalid PUT is refused with its own code and status, and changes nothing', async () => {
    const before = [head(), to.current()];
    // a process for each would take a second each
    const publish: Publish = async (_agent, body, admin) =>
      publishedBy((await to.publish(body.toString(), '--admin', admin)).stdout);
    const bundle = join(to.folder, 'bundle');
    const { url, keys } = await running({ bundle, trust: { root: to.place.root }, follow: { publish } });
    for (const [code, status, body] of REFUSED) await assertRefused(code, status, body, { url, key: keys.admin });
    expect([head(), to.current()]).toEqual(before);
  });

  test('PUT is refused while the sources do not compile, whatever it asks for', async () => {
    const { path, text, refused } = BROKEN_SOURCES;
    to.place.repo.write(path, text);
    to.push();
    const before = [head(), to.current()];
    await assertRefused(...refused);
    expect([head(), to.current()]).toEqual(before);
    to.place.repo.remove(path);
    to.push();
  });

  test('§21.2.1 a manifest that is too large is refused, with its entries by size', async () => {
    const { code, body } = await put(TOO_LARGE);
    expect(code).toBe('manifest_too_large');
    const { tokens, entries } = (body['error'] as { details: Record<string, unknown> }).details as {
      tokens: number;
      entries: { name: string; tokens: number }[];
    };
    expect(tokens).toBeGreaterThan(1000);
    expect(entries.map((it) => it.tokens)).toEqual(entries.map((it) => it.tokens).sort((a, b) => b - a));
    expect(entries.map((it) => it.name).sort()).toEqual(['deploy', 'heartbeat', 'wrap-up', ...MORE].sort());
  });

  test('a PUT by an agent is denied before its body is read, and a body other than JSON is request_invalid', async () => {
    expect((await put('x'.repeat(80_000), served('cto'))).code).toBe('instruction_scope_denied');
    expect((await put(v2({}), served(), 'text/plain')).code).toBe('request_invalid');
  });

  test('one of two concurrent PUTs is published, with the revision that contains it', async () => {
    const both = await Promise.all([put(v2({ description: 'How to ship' })), put(v2({ description: 'Ship it' }))]);
    expect(both.map((it) => it.status).sort()).toEqual([200, 409]);
    const won = both.find((it) => it.status === 200)?.body;
    expect(won).toMatchObject({ fact_uri: 'instruction:acme/agent/cto/manifest/v2', commit: head() });
    expect(won?.['coverage_report']).toHaveLength(7);
    expect(won?.['revision']).toBe(to.current());
    // the server loads the new bundle by itself
    await vi.waitFor(
      async () => {
        const ready = await fetch(`${server.url}/readyz`);
        expect(ready.headers.get('x-bundle-revision')).toBe(won?.['revision']);
      },
      { timeout: 20_000, interval: 200 },
    );
  });

  test('Allow names PUT if publishing is enabled', async () => {
    const wrong = await fetch(`${server.url}/v1/agents/cto/instruction-manifest`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys['admin'] ?? ''}` },
    });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT']);
  });
});
