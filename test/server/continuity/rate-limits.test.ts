import { expect, test } from 'vitest';
import { capsuleOf, NOW, upsertOf } from '../../continuity/capsules.ts';
import { serving } from './serving.ts';

test('DESIGN §6.12: a key that writes too often is refused with rate_limited; another key is not', async () => {
  const server = await serving(undefined, { now: () => NOW, http: { rateLimit: 2 } });
  const answers = [];
  for (let i = 0; i < 3; i++)
    answers.push(await server.post('cto', 'read', { subject_kind: 'thread', subject_id: 'x' }));
  expect(answers.map((it) => it.code)).toEqual(['capsule_not_found', 'capsule_not_found', 'rate_limited']);
  const refused = await server.post('cto', 'upsert', upsertOf(capsuleOf()));
  expect([refused.status, refused.code]).toEqual([429, 'rate_limited']);
  expect((await server.post('cto2', 'list', {})).status).toBe(200);
});
