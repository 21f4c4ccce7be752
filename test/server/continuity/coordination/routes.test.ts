import { beforeAll, describe, expect, test } from 'vitest';
import { STATE } from '../../../continuity/capsules.ts';
import { tempFolder } from '../../../support/folder.ts';
import { CT_ID, CTO2_ID, CTO_ID } from '../../deployment.ts';
import { type Answer } from '../../running.ts';
import { coordinating, SUBJECT, type Coordinating } from './coordinating.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const now = () => NOW;

let server: Coordinating;

beforeAll(async () => {
  server = await coordinating(undefined, { now });
});

const outcome = (answer: Answer) => answer.code ?? answer.status;
const memberOf = (answer: Answer, name: string) => answer.json()[name] as Record<string, unknown>;

async function share(more: object = {}): Promise<string> {
  const answer = await server.coordinate('cto', 'shared/create', {
    title: 'release',
    participant_peers: ['cto2'],
    ...more,
  });
  return memberOf(answer, 'shared')['shared_id'] as string;
}

describe('handoffs', () => {
  test('a handoff is 201, and crosses with two lists of the capsule alone', async () => {
    const request = { ...SUBJECT, recipient_peer: 'cto2', note: 'yours' };
    const answer = await server.coordinate('cto', 'handoff/create', request);
    expect(answer.status).toBe(201);
    expect(answer.json()).toMatchObject({ ok: true, durable: true, created: true, content_kind: 'agent_authored' });
    const handoff = memberOf(answer, 'handoff');
    expect(handoff).toMatchObject({ sender_peer: CTO_ID, recipient_peer: CTO2_ID, recipient_status: 'pending' });
    const { active_constraints, drift_signals, ...others } = STATE;
    expect(handoff['shared_continuity']).toEqual({ active_constraints, drift_signals });
    for (const text of Object.values(others).flat()) expect(answer.text).not.toContain(text);
    const read = await server.coordinate('cto2', `handoff/${String(handoff['handoff_id'])}`);
    expect(memberOf(read, 'handoff')).toEqual(handoff);
  });

  test('its recipient takes it, and takes it once', async () => {
    const id = await server.handOver(CTO2_ID);
    const consume = (who: 'cto' | 'cto2' | 'ct', status: string) =>
      server.coordinate(who, `handoff/${id}/consume`, { status, reason: 'seen' });
    expect(outcome(await consume('cto', 'rejected'))).toBe('instruction_scope_denied');
    expect(outcome(await consume('ct', 'rejected'))).toBe('coordination_not_found');
    expect((await consume('cto2', 'accepted_advisory')).json()).toMatchObject({ updated: true });
    expect((await consume('cto2', 'accepted_advisory')).json()).toMatchObject({ updated: false });
    expect(outcome(await consume('cto2', 'rejected'))).toBe('coordination_conflict');
    expect(memberOf(await server.coordinate('cto', `handoff/${id}`), 'handoff')).toMatchObject({
      recipient_status: 'accepted_advisory',
      recipient_note: 'seen',
      version: 2,
    });
  });

  test.each([
    ['an agent that is not there', { recipient_peer: 'nobody' }, 'agent_not_found'],
    ['itself', { recipient_peer: 'cto' }, 'coordination_invalid'],
    ['another agent, of a capsule that is not there', { subject_id: 'none' }, 'capsule_not_found'],
  ])('nothing is handed over to %s', async (_, more, code) => {
    const answer = await server.coordinate('cto', 'handoff/create', { ...SUBJECT, recipient_peer: 'cto2', ...more });
    expect(answer.code).toBe(code);
  });

  test('an agent hands over what is its own: of the same name another agent has nothing', async () => {
    const answer = await server.coordinate('cto2', 'handoff/create', { ...SUBJECT, recipient_peer: 'cto' });
    expect(answer.code).toBe('capsule_not_found');
  });

  test('administrators are reached by the name of their store', async () => {
    const id = await server.handOver('default');
    const consumed = await server.coordinate('admin', `handoff/${id}/consume`, { status: 'deferred' });
    expect(memberOf(consumed, 'handoff')).toMatchObject({ recipient_peer: 'default', recipient_status: 'deferred' });
  });
});

describe('shared artefacts', () => {
  test('its owner updates it, its participants read each version, and others none', async () => {
    const id = await share({ constraints: ['no deploys'] });
    const update = (who: 'cto' | 'cto2', expected_version: number) =>
      server.coordinate(who, `shared/${id}/update`, { expected_version, title: 'release 43' });
    expect(outcome(await update('cto2', 1))).toBe('instruction_scope_denied');
    expect((await update('cto', 1)).json()).toMatchObject({
      updated: true,
      shared: { version: 2, title: 'release 43' },
    });
    const conflict = await update('cto', 1);
    expect([conflict.status, conflict.code]).toEqual([409, 'coordination_conflict']);
    expect(conflict.json()).toMatchObject({ error: { details: { version: 2, expected_version: 1 } } });
    const read = async (query: string) => (await server.coordinate('cto2', `shared/${id}${query}`)).json();
    expect(await read('')).toMatchObject({ latest_version: 2, shared: { title: 'release 43' } });
    expect(await read('?version=1')).toMatchObject({ latest_version: 2, shared: { version: 1, title: 'release' } });
    expect(outcome(await server.coordinate('cto2', `shared/${id}?version=3`))).toBe('coordination_not_found');
    expect(outcome(await server.coordinate('ct', `shared/${id}?version=1`))).toBe('coordination_not_found');
  });

  test('of eight writers of one version exactly one wins', async () => {
    const id = await share();
    const writes = Array.from({ length: 8 }, (_, i) =>
      server.coordinate('cto', `shared/${id}/update`, { expected_version: 1, title: `title ${i}` }),
    );
    const statuses = (await Promise.all(writes)).map((it) => it.status);
    expect(statuses.sort()).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
  });
});

describe('reconciliations', () => {
  test('a disagreement by what both see is opened, listed by its claimant and resolved by its owner', async () => {
    const [handoff, shared] = [await server.handOver(), await share()];
    const claims = [
      ['handoff', handoff, 'cto2', null],
      ['shared', shared, 'cto', 1],
    ].map(([source_kind, source_id, claimant_peer, observed_version]) => ({
      ...{ source_kind, source_id, claimant_peer, observed_version },
      ...{ claim_summary: 'it is shared', epistemic_status: 'frame_present' },
    }));
    const request = { title: 'staging', classification: 'contradictory', trigger: 'handoff_vs_shared', claims };
    expect(outcome(await server.coordinate('ct', 'reconciliation/open', request))).toBe('coordination_not_found');
    const opened = await server.coordinate('cto', 'reconciliation/open', request);
    expect(opened.status).toBe(201);
    const { reconciliation_id: id, participant_peers } = memberOf(opened, 'reconciliation') as Record<string, string>;
    expect(participant_peers).toEqual([CTO2_ID]);
    const listed = await server.coordinate('cto2', 'reconciliations/query?claimant_peer=cto2&status=open');
    expect(listed.json()).toMatchObject({ total_matches: 1, reconciliations: [{ reconciliation_id: id }] });
    const resolve = (who: 'cto' | 'cto2' | 'ct', expected_version = 1) =>
      server.coordinate(who, `reconciliation/${id}/resolve`, { expected_version, outcome: 'advisory_only' });
    expect(outcome(await resolve('cto2'))).toBe('instruction_scope_denied');
    expect(outcome(await resolve('ct'))).toBe('coordination_not_found');
    expect(outcome(await resolve('cto', 2))).toBe('coordination_conflict');
    expect((await resolve('cto')).json()).toMatchObject({ updated: true, reconciliation: { resolved_by: CTO_ID } });
    expect((await server.coordinate('cto2', `reconciliation/${id}`)).json()).toMatchObject({
      reconciliation: { status: 'resolved', version: 2 },
    });
  });
});

describe('lists', () => {
  test('a list has what the caller is a party of, the newest change first, page by page', async () => {
    let at = NOW;
    const own = await coordinating(undefined, { now: () => (at += 1000) });
    const ids = [
      await own.handOver('cto2'),
      await own.handOver('ct', { task_id: 'seven' }),
      await own.handOver('cto2'),
    ];
    const list = async (who: 'cto' | 'cto2' | 'ct' | 'admin', query = '') => {
      const answer = (await own.coordinate(who, `handoffs/query${query}`)).json();
      return [
        answer['total_matches'],
        (answer['handoffs'] as { handoff_id: string }[]).map((it) => ids.indexOf(it.handoff_id)),
      ];
    };
    expect(await list('cto')).toEqual([3, [2, 1, 0]]);
    expect(await list('cto2')).toEqual([2, [2, 0]]);
    expect(await list('ct')).toEqual([1, [1]]);
    expect(await list('admin')).toEqual([3, [2, 1, 0]]);
    await own.coordinate('cto2', `handoff/${ids[0] ?? ''}/consume`, { status: 'rejected' });
    expect(await list('cto')).toEqual([3, [0, 2, 1]]);
    expect(await list('cto', '?limit=1&offset=1')).toEqual([3, [2]]);
    expect(await list('cto', '?status=pending')).toEqual([2, [2, 1]]);
    expect(await list('cto', '?task_id=seven')).toEqual([1, [1]]);
    expect(await list('cto', '?recipient_peer=cto2')).toEqual([2, [0, 2]]);
    expect(await list('cto', '?sender_peer=cto2')).toEqual([0, []]);
    expect(await list('cto2', '?sender_peer=cto')).toEqual([2, [0, 2]]);
    expect(await list('ct', '?recipient_peer=cto2')).toEqual([0, []]);
    expect(await list('admin', '?recipient_peer=ct')).toEqual([1, [1]]);
    expect(await list('cto', '?recipient_peer=nobody')).toEqual([0, []]);
  });

  test.each([
    'handoff/handoff_1',
    'handoff/..%2F..%2Fetc',
    'shared/%00',
    'reconciliation/x',
    `handoff/shared_${'0'.repeat(26)}`,
  ])('GET %s is not found, whoever asks', async (route) => {
    for (const who of ['cto', 'admin'] as const)
      expect((await server.coordinate(who, route)).code).toBe('coordination_not_found');
  });
});

describe('what is stored', () => {
  test('a server that starts again has every artefact, for the same agents', async () => {
    const folder = tempFolder();
    const first = await coordinating(folder, { now });
    const id = await first.handOver('ct');
    await first.close();
    const second = await coordinating(folder, { now });
    const read = async (who: 'cto' | 'ct' | 'cto2') => outcome(await second.coordinate(who, `handoff/${id}`));
    expect([await read('cto'), await read('ct'), await read('cto2')]).toEqual([200, 200, 'coordination_not_found']);
    expect(memberOf(await second.coordinate('ct', `handoff/${id}`), 'handoff')['recipient_peer']).toBe(CT_ID);
  });
});
