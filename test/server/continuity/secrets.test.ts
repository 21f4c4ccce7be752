import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { STORE_OPERATIONS } from '../../../server/operations/tables/store-operations.ts';
import { ago, capsuleOf, NOW, STATE } from '../../continuity/capsules.ts';
import { inSeconds } from '../../continuity/schedule/items.ts';
import { httpClient } from '../doors.ts';
import { failedWith } from '../mcp/asking.ts';
import { serving, type Serving } from './serving.ts';

type Id = keyof typeof STORE_OPERATIONS;

/** A token of a person on a code host; it was never given out. */
const SECRET = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
const SAID = `log in with ${SECRET}`;
const SUBJECT = { subject_kind: 'thread', subject_id: 'store' };
const SIGNALS = [{ kind: 'user_confirmation', source_ref: 'chat 7', observed_at: ago(9), summary: 'she said so' }];

let server: Serving;

/** Ids of what there is to change, by the name of the path parameter. */
let ids: Readonly<Record<string, string>>;

beforeAll(async () => {
  server = await serving(undefined, { now: () => NOW });
  await server.post('cto', 'upsert', { ...SUBJECT, capsule: capsuleOf() });
  const made = async (path: string, json: object, member: string, id: string, who: 'cto' | 'cto2' = 'cto') =>
    String(((await server.ask(who, 'POST', path, { json })).json()[member] as Record<string, unknown>)[id]);
  const item = { kind: 'reminder', title: 'ask Ann', due_at: inSeconds(60) };
  const disagreement = { title: 'which?', classification: 'contradictory', trigger: 'shared_vs_shared' };
  ids = {
    schedule_id: await made('/v1/schedule/items', item, 'item', 'schedule_id'),
    // one that cto may consume
    handoff_id: await handedOver(made),
    shared_id: await made('/v1/coordination/shared/create', { title: 'a' }, 'shared', 'shared_id'),
    reconciliation_id: await made(
      '/v1/coordination/reconciliation/open',
      disagreement,
      'reconciliation',
      'reconciliation_id',
    ),
  };
});

async function handedOver(
  made: (path: string, json: object, member: string, id: string, who: 'cto2') => Promise<string>,
): Promise<string> {
  await server.post('cto2', 'upsert', { ...SUBJECT, capsule: capsuleOf() });
  const json = { ...SUBJECT, recipient_peer: 'cto' };
  return made('/v1/coordination/handoff/create', json, 'handoff', 'handoff_id', 'cto2');
}

const upserted = (capsule: object) => ({ ...SUBJECT, capsule: capsuleOf({ updated_at: ago(1), ...capsule }) });
const item = (more: object) => ({ kind: 'reminder', title: 'ask Bob', due_at: inSeconds(90), ...more });
const shared = (more: object) => ({ title: 'release', ...more });
const disagreement = (more: object) => ({
  title: 'which window?',
  classification: 'contradictory',
  trigger: 'shared_vs_shared',
  ...more,
});
const claim = (more: object) =>
  disagreement({
    claims: [
      {
        ...{ source_kind: 'shared', source_id: 'shared_x', claimant_peer: 'cto', observed_version: 1 },
        ...{ claim_summary: 'at two', epistemic_status: 'frame_present', ...more },
      },
    ],
  });

/** Every text that each operation takes, where an agent says something in its own words. */
const TEXTS: Readonly<Partial<Record<Id, Readonly<Record<string, object>>>>> = {
  upsertCapsule: {
    'a list': upserted({ continuity: { ...STATE, open_loops: [SAID] } }),
    'the name of metadata': upserted({ metadata: { [SECRET]: true } }),
    'the message of the commit': { ...upserted({}), commit_message: SAID },
    'a snapshot': {
      ...upserted({}),
      session_end_snapshot: { open_loops: [SAID], top_priorities: [], active_constraints: [], stance_summary: '' },
    },
  },
  patchCapsule: {
    'a value': {
      ...{ ...SUBJECT, updated_at: ago(1) },
      operations: [{ target: 'continuity.open_loops', action: 'append', value: SAID }],
    },
  },
  moveLifecycle: {
    'the message of the commit': { ...SUBJECT, updated_at: ago(1), transition: 'suspend', commit_message: SAID },
  },
  revalidateCapsule: {
    'the reason': { ...SUBJECT, outcome: 'degrade', signals: SIGNALS, reason: SAID },
    'a signal': { ...SUBJECT, outcome: 'confirm', signals: [{ ...SIGNALS[0], summary: SAID }] },
  },
  archiveCapsule: { 'the reason': { ...SUBJECT, reason: SAID } },
  deleteCapsule: { 'the reason': { ...SUBJECT, reason: SAID, delete_active: true } },
  createScheduleItem: {
    'the title': item({ title: SAID }),
    'the note': item({ note: SAID }),
    'a value of metadata': item({ metadata: { login: SAID } }),
    'the name of metadata': item({ metadata: { [SECRET]: true } }),
    'the idempotency key': item({ idempotency_key: SECRET }),
  },
  updateScheduleItem: {
    'the title': { expected_version: 1, title: SAID },
    'the note': { expected_version: 1, note: SAID },
    'a value of metadata': { expected_version: 1, metadata: { login: SAID } },
  },
  acknowledgeScheduleItem: { 'the reason': { reason: SAID } },
  retireScheduleItem: { 'the reason': { reason: SAID } },
  createHandoff: {
    'the note': { ...SUBJECT, recipient_peer: 'cto2', note: SAID },
    'the message': { ...SUBJECT, recipient_peer: 'cto2', commit_message: SAID },
  },
  consumeHandoff: {
    'the note': { status: 'deferred', note: SAID },
    'its other name': { status: 'deferred', reason: SAID },
  },
  createShared: {
    'the title': shared({ title: SAID }),
    'the summary': shared({ summary: SAID }),
    'a constraint': shared({ constraints: [SAID] }),
    'a drift signal': shared({ drift_signals: ['none', SAID] }),
    'an alert': shared({ coordination_alerts: [SAID] }),
  },
  updateShared: {
    'the title': shared({ expected_version: 1, title: SAID }),
    'a constraint': shared({ expected_version: 1, constraints: [SAID] }),
    'an alert': shared({ expected_version: 1, coordination_alerts: [SAID] }),
  },
  openReconciliation: {
    'the title': disagreement({ title: SAID }),
    'the summary': disagreement({ summary: SAID }),
    'a claim': claim({ claim_summary: SAID }),
    'the evidence of a claim': claim({ evidence_refs: [SAID] }),
  },
  resolveReconciliation: {
    'the summary': { expected_version: 1, resolution_outcome: 'rejected', resolution_summary: SAID },
  },
};

const CASES = Object.entries(TEXTS).flatMap(([id, bodies]) =>
  Object.entries(bodies).map(([where, body]) => [id as Id, where, body] as const),
);

describe('a secret is refused wherever an agent says something', () => {
  test('each operation that changes a store is tried', () => {
    const changing = Object.entries(STORE_OPERATIONS).filter(([, { effect }]) => effect === 'write');
    expect(Object.keys(TEXTS).sort()).toEqual(changing.map(([id]) => id).sort());
  });

  test.each(CASES)('%s, in %s', async (id, _, json) => {
    const { method, path } = STORE_OPERATIONS[id];
    const target = path.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? '');
    const answer = await server.ask('cto', method.toUpperCase(), target, { json });
    expect([answer.status, answer.code]).toEqual([400, 'secret_refused']);
    expect(answer.text).not.toContain(SECRET);
  });

  test('by a tool of MCP too', async () => {
    const client = await httpClient(server, 'cto');
    const told = await client.callTool({ name: 'create_schedule_item', arguments: item({ note: SAID }) });
    await client.close();
    expect(told).toEqual(failedWith('secret_refused'));
    expect(JSON.stringify(told)).not.toContain(SECRET);
  });

  test('no byte of the store and no line of the log has it, and nothing was changed', async () => {
    const files = readdirSync(server.folder, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
    for (const it of files) expect(readFileSync(join(it.parentPath, it.name)).includes(SECRET)).toBe(false);
    expect(JSON.stringify(server.log)).not.toContain(SECRET);
    const listed = (await server.ask('cto', 'GET', '/v1/schedule/items')).json();
    expect(listed).toMatchObject({ total: 1, items: [{ status: 'pending', version: 1 }] });
  });
});
