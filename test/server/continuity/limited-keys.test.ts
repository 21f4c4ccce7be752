import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { changeKeyFile } from '../../../compiler/app/world/key-file.ts';
import type { Permits } from '../../../compiler/schema/source/key-file.ts';
import { newKey } from '../../../compiler/trust/keys.ts';
import { capsuleOf } from '../../continuity/capsules.ts';
import { CTO_ID } from '../deployment.ts';
import { serving, type Serving } from './serving.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const LIMITS = {
  reads: { scopes: ['continuity:read'] },
  writes: { scopes: ['continuity:write'] },
  instructions: { scopes: ['instructions'] },
  tasks: { namespaces: ['tasks'] },
  nothing: {},
} as const satisfies Record<string, unknown>;

type Limited = keyof typeof LIMITS;

let server: Serving;
let keys: Readonly<Record<Limited, string>>;

beforeAll(async () => {
  server = await serving(undefined, { now: () => NOW });
  const made = Object.entries(LIMITS).map(([name, permits]) => {
    const holder = { kind: 'agent', agent: 'cto' } as const;
    return [
      name,
      newKey(holder, name, '2026-01-01T00:00:00Z', randomBytes(40), permits as unknown as Permits),
    ] as const;
  });
  keys = Object.fromEntries(made.map(([name, { key }]) => [name, key])) as Record<Limited, string>;
  await changeKeyFile(server.keyFile, (all) => [...all, ...made.map(([, { record }]) => record)]);
  await vi.waitFor(async () => {
    expect((await ask('nothing', 'list', {})).status).toBe(200);
  }, 5000);
});

function ask(who: Limited, route: string, json: unknown) {
  const headers = { authorization: `Bearer ${keys[who]}` };
  return server.ask(null, 'POST', `/v1/continuity/${route}`, { json, headers });
}

async function codesOf(who: Limited): Promise<(string | number)[]> {
  const subject = { subject_kind: 'thread', subject_id: who };
  const headers = { authorization: `Bearer ${keys[who]}` };
  const answers = [
    await ask(who, 'upsert', { ...subject, capsule: capsuleOf({ subject_id: who }) }),
    await ask(who, 'list', {}),
    await server.ask(null, 'POST', `/v1/agents/${CTO_ID}/recall-instruction`, {
      json: { intent: 'done for today' },
      headers,
    }),
  ];
  return answers.map((it) => it.code ?? it.status);
}

const DENIED = 'instruction_scope_denied';

describe('a key of the second format', () => {
  test.each([
    ['nothing', [201, 200, 200]],
    ['reads', [DENIED, 200, DENIED]],
    ['writes', [201, DENIED, DENIED]],
    ['instructions', [DENIED, DENIED, 200]],
    ['tasks', [DENIED, DENIED, 200]],
  ] as const)('that is limited to %s may do that alone', async (who, codes) => {
    expect(await codesOf(who)).toEqual(codes);
  });
});
