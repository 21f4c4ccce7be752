import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { tempFolder } from '../../support/folder.ts';
import { flipByte, onlyVersion } from '../damage.ts';
import { compiledPeers, type CompiledPeers } from '../deployment.ts';
import { running, type Who, type Running, statusAndCode } from '../running.ts';

let peers: CompiledPeers;

beforeAll(async () => {
  peers = await compiledPeers();
});

/** A server on a copy of the bundle, damaged before it starts. */
async function onDamaged(damage: Damage, now?: () => number): Promise<Running> {
  const bundle = tempFolder();
  cpSync(peers.bundle, bundle, { recursive: true });
  damage(bundle);
  return running({ ...peers, bundle, ...(now && { now }) });
}

const unavailable = [503, 'recall_backend_unavailable'];
const recall = (server: Running, who: Who, agent: string) => server.recall(who, agent, { intent: 'start a heartbeat' });

type Damage = (bundle: string) => void;

const flipped =
  (file: string, garden = 'cto'): Damage =>
  (bundle) => {
    flipByte(bundle, garden, file);
  };
const without =
  (file = ''): Damage =>
  (bundle) => {
    rmSync(join(onlyVersion(bundle, 'cto'), file), { recursive: true });
  };
const unsigned: Damage = (bundle) => {
  writeFileSync(join(onlyVersion(bundle, 'cto'), 'more.json'), '{}');
};
const replaced: Damage = (bundle) => {
  cpSync(onlyVersion(bundle, 'cto2'), onlyVersion(bundle, 'cto'), { recursive: true, force: true });
};

const FILES = [
  ...['facts.json', 'history.json', 'manifest.json'],
  ...['stubs/generic.md', 'index/lexical.json', 'garden.dsse.json'],
];
const DAMAGES: readonly [name: string, damage: Damage][] = [
  ...FILES.map((file): [string, Damage] => [`a flipped bit in ${file}`, flipped(file)]),
  ['a missing stub', without('stubs/generic.md')],
  ['a file that was not signed', unsigned],
  ['a missing folder', without()],
  ['the garden of a peer in its place', replaced],
];

describe('DESIGN §8 gardens that do not verify', () => {
  test.each(DAMAGES)('a garden with %s is recall_backend_unavailable, and others are served', async (_name, damage) => {
    const server = await onDamaged(damage);
    for (const route of ['boot-stub', 'instruction-manifest']) {
      const answer = await server.ask('cto', 'GET', `/v1/agents/cto/${route}`);
      expect([route, ...statusAndCode(answer)]).toEqual([route, ...unavailable]);
    }
    const answer = await recall(server, 'cto', 'cto');
    expect(statusAndCode(answer)).toEqual(unavailable);
    expect(answer.json()['error']).toMatchObject({ retryable: true });
    expect(statusAndCode(await recall(server, 'admin', 'cto'))).toEqual(unavailable);
    expect((await recall(server, 'cto2', 'cto2')).status).toBe(200);
    expect((await recall(server, 'ct', 'ct')).status).toBe(200);
  });

  test('a garden that does not verify is logged once', async () => {
    const server = await onDamaged(flipped('facts.json'));
    for (let i = 0; i < 3; i++) await recall(server, 'cto', 'cto');
    expect(server.log.filter((it) => it['garden'] === 'cto')).toHaveLength(1);
  });

  test('a damaged garden without a mirror is reported as not retryable: to callers, in /readyz, in a gauge and in the log', async () => {
    const server = await onDamaged(flipped('facts.json'));
    const refused = await recall(server, 'cto', 'cto');
    expect(refused.json()['error']).toMatchObject({ details: { reason: 'digest_mismatch', retryable: false } });
    const ready = await server.ask(null, 'GET', '/readyz');
    expect(ready.status).toBe(200);
    expect(ready.json()).toMatchObject({
      status: 'ready',
      unavailable: { gardens: 1, retryable: 0, reasons: ['digest_mismatch'], since: expect.any(String) as string },
    });
    expect(ready.text).not.toContain('cto');
    const metrics = await server.ask('admin', 'GET', '/metrics');
    expect(metrics.text).toContain('vade_gardens_unavailable{retryable="false"} 1');
    const line = { garden: 'cto', reason: 'digest_mismatch', retryable: false, help: expect.any(String) as string };
    expect(server.log).toContainEqual(expect.objectContaining(line));
  });

  test('a garden whose files are restored is served again after a minute, without a restart', async () => {
    let now = Date.now();
    const server = await onDamaged(flipped('facts.json'), () => now);
    expect(statusAndCode(await recall(server, 'cto', 'cto'))).toEqual(unavailable);
    flipByte(server.bundle, 'cto', 'facts.json');
    expect(statusAndCode(await recall(server, 'cto', 'cto'))).toEqual(unavailable);
    now += 60_000;
    expect((await recall(server, 'cto', 'cto')).status).toBe(200);
    expect((await server.ask(null, 'GET', '/readyz')).json()['unavailable']).toBeNull();
    expect(server.log.filter((it) => it['garden'] === 'cto').map((it) => it['msg'])).toEqual([
      'garden does not verify',
      'garden verifies again',
    ]);
  });

  test('/readyz is 503 if the shared garden does not verify', async () => {
    const server = await onDamaged(flipped('facts.json', 'shared'));
    await recall(server, 'cto', 'cto');
    const ready = await server.ask(null, 'GET', '/readyz');
    expect([ready.status, ready.json()['status']]).toEqual([503, 'damaged']);
  });

  test('a peer cannot detect a damaged garden', async () => {
    const server = await onDamaged(flipped('facts.json'));
    const [broken, whole] = [await recall(server, 'ct', 'cto'), await recall(server, 'ct', 'cto2')];
    expect(statusAndCode(broken)).toEqual([403, 'instruction_scope_denied']);
    expect(broken.text).toBe(whole.text);
  });

  test.each(['facts.json', 'garden.dsse.json'])(
    'if %s is damaged, the facts of its garden are unavailable, and a peer’s are not',
    async (file) => {
      const server = await onDamaged(flipped(file));
      const fact = (uri: string) => server.ask('admin', 'GET', `/v1/facts/${encodeURIComponent(uri)}`);
      expect(statusAndCode(await fact('instruction:acme/agent/cto/wrap-up/v1'))).toEqual(unavailable);
      expect(statusAndCode(await fact('instruction:acme/agent/cto/manifest/v2'))).toEqual(unavailable);
      expect((await fact('instruction:acme/agent/cto2/budget/v1')).status).toBe(200);
    },
  );

  test('a garden that is damaged after it was loaded is served from memory, but its facts are unavailable', async () => {
    const server = await onDamaged(() => undefined);
    const before = (await recall(server, 'cto', 'cto')).json();
    flipByte(server.bundle, 'cto', 'facts.json');
    const after = (await recall(server, 'cto', 'cto')).json();
    expect({ ...after, audit_token: null }).toEqual({ ...before, audit_token: null });
    const uri = encodeURIComponent('instruction:acme/agent/cto/wrap-up/v1');
    expect(statusAndCode(await server.ask('cto', 'GET', `/v1/facts/${uri}`))).toEqual(unavailable);
  });

  test('no agent is answered if the shared garden does not verify', async () => {
    const server = await onDamaged(flipped('facts.json', 'shared'));
    expect(statusAndCode(await recall(server, 'cto', 'cto'))).toEqual(unavailable);
    expect(statusAndCode(await recall(server, 'ct', 'ct'))).toEqual(unavailable);
    expect(server.log.flatMap((it) => it['garden'] ?? [])).toEqual(['shared']);
    expect((await server.ask(null, 'GET', '/healthz')).status).toBe(200);
  });
});
