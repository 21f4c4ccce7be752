import { beforeAll, describe, expect, test } from 'vitest';
import { ago, capsuleOf, NOW } from '../../continuity/capsules.ts';
import { serving, type Serving } from './serving.ts';

const SUBJECT = { subject_kind: 'thread', subject_id: 'store' };
const SIGNALS = [{ kind: 'user_confirmation', source_ref: 'chat', observed_at: ago(30), summary: 'as agreed' }];

let server: Serving;

beforeAll(async () => {
  server = await serving(undefined, { now: () => NOW });
  await server.post('cto', 'upsert', { ...SUBJECT, capsule: capsuleOf() });
});

/** JSON with what `JSON.stringify` would never write in place of a word. */
const withText = (value: unknown, text: string) => JSON.stringify(value).replace('"HERE"', text);
const withMetadata = (metadata: unknown) => capsuleOf({ updated_at: ago(1), metadata });

const REQUESTS: Readonly<Record<string, (metadata: unknown) => unknown>> = {
  upsert: (metadata) => ({ ...SUBJECT, capsule: withMetadata(metadata) }),
  'upsert with a key': (metadata) => ({ ...SUBJECT, capsule: withMetadata(metadata), idempotency_key: 'k' }),
  compare: (metadata) => ({ ...SUBJECT, candidate_capsule: withMetadata(metadata), signals: SIGNALS }),
  revalidate: (metadata) => ({
    ...SUBJECT,
    outcome: 'correct',
    candidate_capsule: withMetadata(metadata),
    signals: SIGNALS,
  }),
};

describe('a value that no store can write is the fault of who sent it, and no outage', () => {
  test.each(Object.keys(REQUESTS))('%s: 400 with the field', async (name) => {
    const route = name.split(' ')[0] ?? '';
    for (const [metadata, text, field] of [
      [{ n: 'HERE' }, '1e400', 'metadata.n'],
      [{ deep: [{ n: 'HERE' }] }, '-1e400', 'metadata.deep.0.n'],
      [{ HERE: 1 }, '"\\ud800"', 'metadata.\ufffd'],
    ] as const) {
      const body = withText(REQUESTS[name]?.(metadata), text);
      const answer = await server.ask('cto', 'POST', `/v1/continuity/${route}`, {
        body,
        headers: { 'content-type': 'application/json' },
      });
      expect([answer.status, answer.code]).toEqual([400, 'request_invalid']);
      expect(answer.text).toContain(field);
    }
  });

  test.each([
    ['upsert', (text: string) => withText(REQUESTS['upsert']?.({ n: 'HERE' }), text)],
    ['upsert with a key', (text: string) => withText(REQUESTS['upsert with a key']?.({ n: 'HERE' }), text)],
    ['patch', (text: string) => withText({ ...SUBJECT, operations: [{ value: { n: 'HERE' } }] }, text)],
  ])('%s: a number that would be stored rounded is refused, and text of the same digits is not', async (name, body) => {
    const path = `/v1/continuity/${name.split(' ')[0] ?? ''}`;
    const headers = { 'content-type': 'application/json' };
    const answer = await server.ask('cto', 'POST', path, { body: body('1546130668394913822'), headers });
    expect([answer.status, answer.code]).toEqual([400, 'request_invalid']);
    expect(answer.text).toContain('1546130668394913822 would be rounded');
    const asText = await server.ask('cto', 'POST', path, { body: body('"1546130668394913822"'), headers });
    expect(asText.text).not.toContain('rounded');
  });

  test('a patch too: 400, and nothing of it in the log as a failure of the store', async () => {
    const operations = [{ target: 'continuity.open_loops', action: 'append', value: 'HERE' }];
    const answer = await server.ask('cto', 'POST', '/v1/continuity/patch', {
      body: withText({ ...SUBJECT, updated_at: ago(1), operations }, '{"n":1e400}'),
      headers: { 'content-type': 'application/json' },
    });
    expect([answer.status, answer.code]).toEqual([400, 'request_invalid']);
    expect(server.log.filter(({ msg }) => msg === 'a store of capsules failed')).toEqual([]);
  });

  test('__proto__ in metadata comes back as it was sent', async () => {
    const metadata: unknown = JSON.parse('{"__proto__":{"__proto__":1},"a":2}');
    const capsule = { ...withMetadata(metadata), subject_id: 'odd' };
    expect((await server.post('cto', 'upsert', { ...SUBJECT, subject_id: 'odd', capsule })).status).toBe(201);
    const read = await server.post('cto', 'read', { ...SUBJECT, subject_id: 'odd' });
    expect(read.text).toContain('"metadata":{"__proto__":{"__proto__":1},"a":2}');
  });
});
