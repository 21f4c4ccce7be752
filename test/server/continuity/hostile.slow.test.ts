import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capsuleOf, STATE } from '../../continuity/capsules.ts';
import { assertContract } from '../contract.ts';
import { INSIDES, sendHostile } from '../hostile-client.ts';
import { HANDOFF_ID, hostileStoreRequest, hostileToolCall, RECONCILIATION_ID, SHARED_ID } from '../hostile-store.ts';
import type { HostileRequest } from '../hostile.ts';
import type { Who } from '../running.ts';
import { serving, type Serving } from './serving.ts';

/** How many requests are tried over all routes of a store. */
const REQUESTS = Number(process.env['VADE_HOSTILE_REQUESTS'] ?? 10_000);
const AT_ONCE = 8;
const NOW = Date.parse('2026-11-23T12:00:00Z');

/** Secrets of the other agents, each in every part of its store; no attacker knows them. */
const SECRET = { cto2: 'the heron of cto2 waits', ct: 'the otter of ct sleeps', admin: 'the owl of admins wakes' };
const OTHERS = /heron|otter|\bowl\b/;
const SUBJECT = { subject_kind: 'thread', subject_id: 'release-42' };
const entries = Object.entries(SECRET) as [Who, string][];

let server: Serving;
/** Ids that the attacker names: those of others, which it heard of, and its own. */
const aims: Record<'others' | 'own', Readonly<Record<string, string>>> = { others: {}, own: {} };
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

beforeAll(async () => {
  server = await serving(undefined, { now: () => NOW });
  for (const [who, secret] of entries) aims.others = await write(who, secret, who === 'ct' ? 'cto2' : 'ct');
  const own = await write('cto', 'mine', 'ct');
  const harmless = { ...SUBJECT, subject_id: 'harmless' };
  await made('cto2', '/v1/continuity/upsert', { ...harmless, capsule: capsuleOf(harmless) });
  const { handoff } = await made('cto2', '/v1/coordination/handoff/create', { ...harmless, recipient_peer: 'cto' });
  aims.own = { ...own, [HANDOFF_ID]: handoff?.['handoff_id'] ?? '', sched_b: 'sched_cto' };
});

async function made(who: Who, path: string, json: object) {
  const answer = await server.ask(who, 'POST', path, { json });
  expect(answer.status, answer.text).toBe(201);
  return answer.json() as Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Writes something in every part of a store; what of it stands for the ids of the examples. */
async function write(who: Who, secret: string, recipient_peer: Who): Promise<Readonly<Record<string, string>>> {
  const capsule = capsuleOf(SUBJECT, { ...STATE, active_constraints: [secret], open_loops: [secret] });
  await made(who, '/v1/continuity/upsert', { ...SUBJECT, capsule });
  const item = { kind: 'reminder', title: secret, due_at: '2026-11-30T12:00:00Z', schedule_id: `sched_${who}` };
  await made(who, '/v1/schedule/items', item);
  const given = { ...SUBJECT, recipient_peer, note: secret };
  const { handoff } = await made(who, '/v1/coordination/handoff/create', given);
  const { shared } = await made(who, '/v1/coordination/shared/create', { title: secret });
  const disagreement = { title: secret, classification: 'contradictory', trigger: 'shared_vs_shared' };
  const { reconciliation } = await made(who, '/v1/coordination/reconciliation/open', disagreement);
  return {
    ...{ [HANDOFF_ID]: handoff?.['handoff_id'] ?? '', [SHARED_ID]: shared?.['shared_id'] ?? '' },
    ...{ [RECONCILIATION_ID]: reconciliation?.['reconciliation_id'] ?? '', sched_b: `sched_${who}` },
  };
}

let sent = 0;

/** A request that names what others have, or what the attacker has; with a new key, so that it is performed again. */
function aimed({ path, body, ...more }: HostileRequest): HostileRequest {
  sent += 1;
  const names = { ...aims[sent % 2 === 0 ? 'own' : 'others'], cto2: 'ct', 'run-4711': `run-${sent}` };
  const at = (text: string) => Object.entries(names).reduce((it, [from, to]) => it.replaceAll(from, to), text);
  const isText = body.length < 20_000;
  return { ...more, path: at(path), body: isText ? Buffer.from(at(body.toString('latin1')), 'latin1') : body };
}

afterAll(() => {
  agent.destroy();
});

describe('hostile requests over all routes of a store', () => {
  test(
    `${REQUESTS} of them get declared answers, without an internal error and without a word of another owner`,
    { timeout: 1_200_000 },
    async () => {
      const counted = { answered: 0, succeeded: 0, refused: 0, tools: 0 };
      const request = fc.oneof(
        { weight: 7, arbitrary: hostileStoreRequest },
        { weight: 1, arbitrary: hostileToolCall },
      );
      const batch = fc.array(request.map(aimed), { minLength: AT_ONCE, maxLength: AT_ONCE });
      await fc.assert(
        fc.asyncProperty(batch, async (requests) => {
          const answers = await Promise.all(requests.map((it) => sendHostile(agent, server, it, server.keys.cto)));
          for (const [i, told] of answers.entries()) {
            const asked = requests[i];
            if (!told || !asked) continue;
            counted.answered += 1;
            counted[told.status < 400 ? 'succeeded' : 'refused'] += 1;
            if (!/^\/(v1\/)?mcp$/.test(asked.path)) assertContract(asked.method, asked.path, told);
            else if (told.text.includes('"content":[') && !told.text.includes('"isError":true')) counted.tools += 1;
            expect(told.status).toBeLessThan(500);
            expect(told.text).not.toMatch(OTHERS);
            expect(told.text).not.toMatch(INSIDES);
          }
        }),
        { numRuns: Math.ceil(REQUESTS / AT_ONCE), endOnFailure: true },
      );
      expect(counted.answered).toBeGreaterThan(REQUESTS * 0.9);
      // a generator that is refused everywhere, or never, tries nothing
      expect(counted.succeeded).toBeGreaterThan(REQUESTS * 0.05);
      expect(counted.refused).toBeGreaterThan(REQUESTS * 0.3);
      expect(counted.tools).toBeGreaterThan(REQUESTS * 0.01);
    },
  );

  test('the server logged no internal error, and every repository is whole', () => {
    expect(server.log.filter((it) => it['level'] === 50)).toEqual([]);
    const stores = readdirSync(server.folder).filter((name) => name.endsWith('.git'));
    for (const store of stores)
      execFileSync('git', ['--git-dir', join(server.folder, store), 'fsck', '--strict', '--no-dangling'], {
        stdio: 'pipe',
      });
  });

  test('what the others wrote is as it was', async () => {
    for (const [who, secret] of entries) {
      const answer = await server.post(who, 'read', SUBJECT);
      expect(answer.json()).toMatchObject({
        capsule: { continuity: { active_constraints: [secret], open_loops: [secret] } },
      });
      expect((await server.post(who, 'list', {})).json()).toMatchObject({ count: who === 'cto2' ? 2 : 1 });
      const item = await server.ask(who, 'GET', `/v1/schedule/items/sched_${who}`);
      expect(item.json()).toMatchObject({ item: { title: secret, status: 'pending', version: 1 } });
    }
    const artefacts = [HANDOFF_ID, SHARED_ID, RECONCILIATION_ID].map((it) => aims.others[it] ?? '');
    for (const id of artefacts) {
      const answer = await server.ask('admin', 'GET', `/v1/coordination/${id.replace(/_.*/, '')}/${id}`);
      expect(Object.values(answer.json())).toContainEqual(expect.objectContaining({ version: 1 }));
    }
  });
});
