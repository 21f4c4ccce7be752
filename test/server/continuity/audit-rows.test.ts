import { beforeAll, describe, expect, test, vi } from 'vitest';
import { capsuleOf, NOW } from '../../continuity/capsules.ts';
import { capsuleCalls } from '../audit-file.ts';
import { CTO_ID } from '../deployment.ts';
import { httpClient } from '../doors.ts';
import type { Answer } from '../running.ts';
import { limitedKeys } from './limited.ts';
import { serving, type Serving } from './serving.ts';

const SUBJECT = { subject_kind: 'thread', subject_id: 'store' };
const LIMITS = { reads: { scopes: ['continuity:read'] }, tasks: { namespaces: ['tasks'] } } as const;

let server: Serving;
let ask: Awaited<ReturnType<typeof limitedKeys<keyof typeof LIMITS>>>;

beforeAll(async () => {
  server = await serving(undefined, { now: () => NOW });
  ask = await limitedKeys(server, LIMITS);
  // rows are stored in order: those of calls that waited for the keys come before this one
  await server.post('cto', 'read', SUBJECT);
  await vi.waitFor(() => {
    expect(rowsOf(server).at(-1)).toMatchObject({ operation: 'readCapsule' });
  });
});

const rowsOf = ({ audit }: Pick<Serving, 'audit'>) => capsuleCalls(audit);

/** The rows that a call adds, and the call's code. */
async function added(call: () => Promise<Pick<Answer, 'code'> | undefined>, of: Pick<Serving, 'audit'> = server) {
  const before = rowsOf(of).length;
  const answer = await call();
  const code = answer?.code;
  const rows = await vi.waitFor(() => {
    const found = rowsOf(of).slice(before);
    expect(found).toHaveLength(1);
    return found;
  });
  return { code, row: rows[0] };
}

const upsert = { ...SUBJECT, capsule: capsuleOf() };
const text = { 'content-type': 'application/json' };

const REFUSED: Readonly<Record<string, [operation: string, code: string, call: () => Promise<Answer>]>> = {
  'a key without the scope': [
    'upsertCapsule',
    'instruction_scope_denied',
    () => ask('reads', 'POST', '/v1/continuity/upsert', { json: upsert }),
  ],
  'a key without the namespace': [
    'readCapsule',
    'instruction_scope_denied',
    () => ask('tasks', 'POST', '/v1/continuity/read', { json: SUBJECT }),
  ],
  'a handoff by a key without the namespace': [
    'createHandoff',
    'instruction_scope_denied',
    () => ask('tasks', 'POST', '/v1/coordination/handoff/create', { json: { ...SUBJECT, recipient_peer: 'cto2' } }),
  ],
  'a schedule by a key without the scope': [
    'createScheduleItem',
    'instruction_scope_denied',
    () => ask('reads', 'POST', '/v1/schedule/items', { json: {} }),
  ],
  'a body that no schema takes': [
    'readCapsule',
    'request_invalid',
    () => server.post('cto', 'read', { subject_kind: 'robot' }),
  ],
  'a body that is a text': ['readCapsule', 'request_invalid', () => server.post('cto', 'read', 'robot')],
  'a query that no schema takes': [
    'listScheduleItems',
    'request_invalid',
    () => server.ask('cto', 'GET', '/v1/schedule/items?limit=x'),
  ],
  'JSON that cannot be read': [
    'upsertCapsule',
    'request_invalid',
    () => server.ask('cto', 'POST', '/v1/continuity/upsert', { body: '{"half":', headers: text }),
  ],
  'a body that is too large': [
    'upsertCapsule',
    'payload_too_large',
    () => server.ask('cto', 'POST', '/v1/continuity/upsert', { body: `"${'x'.repeat(70_000)}"`, headers: text }),
  ],
  'a number that no store keeps': [
    'upsertCapsule',
    'request_invalid',
    () =>
      server.ask('cto', 'POST', '/v1/continuity/upsert', {
        body: JSON.stringify(upsert).replace('}}', ',"metadata":{"\\ud800":1e400}}}').replace('}}}', '}}'),
        headers: text,
      }),
  ],
};

describe('a refused call of a known caller', () => {
  test.each(Object.entries(REFUSED))('has its row: %s', async (_name, [operation, code, call]) => {
    const { code: answered, row } = await added(call);
    expect(answered).toBe(code);
    expect(row).toMatchObject({ operation, refusal: code, agent_id: CTO_ID, asked_by: 'acme/agent/cto' });
  });

  test('has its row over MCP too', async () => {
    const client = await httpClient(server, 'cto');
    const call = async () => {
      await client.callTool({ name: 'read_capsule', arguments: { subject_kind: 'robot' } });
      return undefined;
    };
    expect((await added(call)).row).toMatchObject({ operation: 'readCapsule', refusal: 'request_invalid' });
    await client.close();
  });

  test('is counted by its operation and its code', async () => {
    const { text: metrics } = await server.ask('scraper', 'GET', '/metrics');
    expect(metrics).toMatch(
      /vade_continuity_calls_total\{operation="upsertCapsule",code="instruction_scope_denied"\} [1-9]/,
    );
    expect(metrics).toMatch(/vade_continuity_calls_total\{operation="upsertCapsule",code="payload_too_large"\} [1-9]/);
  });

  test('without a garden has a row of its own name', async () => {
    const { row } = await added(() => server.post('ghost', 'read', SUBJECT));
    expect(row).toMatchObject({ operation: 'readCapsule', agent_id: 'ghost' });
  });
});

test('the first call of a minute beyond a rate limit has a row, and all of them are counted', async () => {
  const limited = await serving(undefined, { now: () => NOW, http: { rateLimit: 1 } });
  await added(() => limited.post('cto', 'read', SUBJECT), limited);
  const { code, row } = await added(() => limited.post('cto', 'read', SUBJECT), limited);
  expect([code, row?.['refusal']]).toEqual(['rate_limited', 'rate_limited']);
  const before = rowsOf(limited).length;
  for (let call = 0; call < 3; call++) await limited.post('cto', 'read', SUBJECT);
  const { text: metrics } = await limited.ask('scraper', 'GET', '/metrics');
  expect(metrics).toContain('vade_continuity_calls_total{operation="readCapsule",code="rate_limited"} 4');
  expect(rowsOf(limited)).toHaveLength(before);
});

test('a stranger has no row, and is counted', async () => {
  const before = rowsOf(server).length;
  expect((await server.post(null, 'read', SUBJECT)).status).toBe(401);
  expect((await server.post('revoked', 'upsert', upsert)).status).toBe(401);
  await added(() => server.post('cto', 'list', {}));
  expect(rowsOf(server)).toHaveLength(before + 1);
  const { text: metrics } = await server.ask('scraper', 'GET', '/metrics');
  expect(metrics).toMatch(/vade_authentication_failures_total (\d{2,}|[2-9])/);
});
