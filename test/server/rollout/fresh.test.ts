import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { FRESHNESS } from '../../../compiler/io/bundle/sidecar-files.ts';
import type { Freshness } from '../../../compiler/schema/bundle/freshness.ts';
import { signFreshness } from '../../../compiler/trust/freshness.ts';
import { tempFolder } from '../../support/folder.ts';
import { laterReasonOf } from '../../support/refused.ts';
import { newSigner } from '../../support/staff.ts';
import { compiledPeers, type CompiledPeers } from '../deployment.ts';
import { running, type RunOptions } from '../running.ts';

const NOW = Date.parse('2026-12-01T00:00:00Z');
const HOUR_MS = 3_600_000;
const at = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
let peers: CompiledPeers;
let revision: string;

beforeAll(async () => {
  peers = await compiledPeers();
  const server = await running(peers);
  ({ revision } = server);
  await server.close();
});

const statement = (over: Partial<Freshness> = {}): Freshness => ({
  deployment: 'acme',
  revision,
  issued: at(NOW),
  expires: at(NOW + HOUR_MS),
  withdrawals: [],
  ...over,
});

/** Starts a server on a bundle with this freshness statement; null for none. */
function started(envelope: Buffer | null, options: Partial<RunOptions> = {}) {
  const bundle = tempFolder();
  cpSync(peers.bundle, bundle, { recursive: true });
  if (envelope !== null) writeFileSync(join(bundle, FRESHNESS), envelope);
  return running({ ...peers, bundle, now: () => NOW, follow: { pollMs: 20 }, ...options });
}

const signed = (over: Partial<Freshness> = {}, signer = peers.trust.signer) => signFreshness(statement(over), [signer]);

describe('DESIGN §7 --fail-stale', () => {
  const BAD: readonly [string, () => Buffer | null][] = [
    ['that is missing', () => null],
    ['that has expired', () => signed({ expires: at(NOW - 1000) })],
    ['of another revision', () => signed({ revision: `1-${'0'.repeat(64)}` })],
    ['by another key', () => signed({}, newSigner())],
  ];

  test.each(BAD)('with --fail-stale a server does not start with a statement %s', async (_, envelope) => {
    expect(await laterReasonOf(started(envelope(), { failStale: true }))).toBe('not_fresh');
  });

  test.each(BAD)('without --fail-stale a server with a statement %s reports it and serves', async (_, envelope) => {
    const made = envelope();
    const server = await started(made);
    const answer = await server.ask(null, 'GET', '/readyz');
    expect([answer.status, answer.json()['fresh']]).toEqual([200, made === null ? null : false]);
    expect((await server.ask('cto', 'GET', '/v1/agents/cto/boot-stub')).status).toBe(200);
    expect(server.log.filter((it) => it['level'] === 50)).toHaveLength(made === null ? 0 : 1);
  });

  test('with --fail-stale a server answers 503 once the statement expires, and serves again with a new one', async () => {
    let now = NOW;
    const server = await started(signed(), { failStale: true, now: () => now });
    const stub = async () => {
      const answer = await server.ask('cto', 'GET', '/v1/agents/cto/boot-stub');
      return [answer.status, answer.code];
    };
    const becomes = (expected: unknown[]) =>
      expect.poll(() => stub(), { timeout: 30_000, interval: 50 }).toEqual(expected);
    expect(await stub()).toEqual([200, undefined]);
    now = NOW + HOUR_MS;
    await becomes([503, 'recall_backend_unavailable']);
    const ready = await server.ask(null, 'GET', '/readyz');
    expect([ready.status, ready.json()]).toMatchObject([503, { status: 'stale', fresh: false }]);
    expect((await server.ask(null, 'GET', '/healthz')).status).toBe(200);
    writeFileSync(join(server.bundle, FRESHNESS), signed({ expires: at(NOW + 2 * HOUR_MS) }));
    await becomes([200, undefined]);
  });
});
