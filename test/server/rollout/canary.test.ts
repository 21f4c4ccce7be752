import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { testTrust } from '../../support/compiled.ts';
import { laterReasonOf } from '../../support/refused.ts';
import { CTO_ID } from '../deployment.ts';
import { running, type Running } from '../running.ts';
import { announce, successive, together, versionOf, wordsOf, type Successive } from '../successive.ts';

const trust = testTrust();
let made: Successive;

beforeAll(async () => {
  made = await successive(trust, 3);
});

const serialOf = (n: number) => made.revisions[n]?.split('-')[0] ?? '';
const started = (root: string, agent = 'cto', bundle = together(made)): Promise<Running> =>
  running({ bundle, trust, follow: { pollMs: 20, canaries: [{ agent, root }] } });

const from = async (server: Running, who: 'cto' | 'ctoById' | 'cto2', agent: string = who) => {
  const answer = await server.recall(who, agent, { intent: 'hand over', max_chunks: 1 });
  return made.revisions.indexOf(answer.headers['x-bundle-revision'] ?? '');
};
const logged = (server: Running, text: string) => server.log.filter((it) => String(it['msg']).includes(text));

describe('a canary of a new root', () => {
  test.each([
    ['by revision', () => made.revisions[1] ?? '', 'cto'],
    ['by serial', () => serialOf(1), 'cto'],
    ['by the agent’s id', () => serialOf(1), CTO_ID],
  ])('a canary named %s is answered from its root, and other agents from the current one', async (_, root, agent) => {
    const server = await started(root(), agent);
    expect([await from(server, 'cto'), await from(server, 'ctoById', CTO_ID)]).toEqual([1, 1]);
    expect(await from(server, 'cto2')).toBe(0);
    const stub = await server.ask('cto', 'GET', '/v1/agents/cto/boot-stub');
    expect(stub.headers['x-bundle-revision']).toBe(made.revisions[1]);
    const recalled = await server.recall('cto', 'cto', { intent: 'hand over', max_chunks: 1 });
    expect(recalled.text).toContain(wordsOf(1));
    expect((await server.ask(null, 'GET', '/readyz')).json()['bundle_revision']).toBe(made.revisions[0]);
  });

  test('§21.4.5 a peer cannot detect a canary', async () => {
    const server = await started(serialOf(1));
    const [canary, none] = [
      await server.recall('cto2', 'cto', { intent: 'hand over' }),
      await server.recall('cto2', 'nobody', { intent: 'hand over' }),
    ];
    expect([canary.status, canary.text]).toEqual([none.status, none.text]);
    expect(canary.headers['x-bundle-revision']).toBe(none.headers['x-bundle-revision']);
  });

  test.each([
    ['reaches', 1],
    ['passes', 2],
  ])('a canary ends when the current bundle %s its root', async (_, n) => {
    const server = await started(serialOf(1));
    announce(server.bundle, made.revisions[n] ?? '');
    await expect
      .poll(async () => [await from(server, 'cto'), await from(server, 'cto2')], { timeout: 30_000 })
      .toEqual([n, n]);
    expect(logged(server, 'the canary has ended: the current bundle is at least as new')).toMatchObject([
      { agent: 'cto', canary: made.revisions[1] },
    ]);
  });

  test('a canary does not start if the current bundle is at least as new, even if its root is missing', async () => {
    for (const root of [serialOf(0), '1']) {
      const server = await started(root);
      expect(await from(server, 'cto')).toBe(0);
      expect(logged(server, 'the canary has ended: the current bundle is at least as new')).toHaveLength(1);
      await server.close();
    }
  });

  test('a canary that no longer verifies ends, and is logged once', async () => {
    const server = await started(serialOf(1));
    expect(await from(server, 'cto')).toBe(1);
    rmSync(join(server.bundle, 'roots', made.revisions[1] ?? ''), { recursive: true });
    await expect.poll(() => from(server, 'cto'), { timeout: 30_000 }).toBe(0);
    expect(logged(server, 'the canary no longer verifies: its agent is answered from the current bundle')).toHaveLength(
      1,
    );
  });

  test('a server does not start with a canary that does not verify, or whose root or agent is missing', async () => {
    const bundle = together(made);
    appendFileSync(join(bundle, 'gardens/cto', versionOf(made.folders[1] ?? '', 'cto'), 'facts.json'), ' ');
    expect(await laterReasonOf(started(serialOf(1), 'cto', bundle))).toBe('digest_mismatch');
    await expect(started('999')).rejects.toMatchObject({ code: 'bundle_not_found' });
    await expect(started(serialOf(1), 'nobody')).rejects.toMatchObject({ code: 'agent_not_found' });
  });
});
