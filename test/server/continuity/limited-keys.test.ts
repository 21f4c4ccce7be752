import { beforeAll, describe, expect, test } from 'vitest';
import { capsuleOf } from '../../continuity/capsules.ts';
import { CTO_ID } from '../deployment.ts';
import { related, type Related } from '../relations.ts';
import type { Answer } from '../running.ts';
import { limitedKeys } from './limited.ts';
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

let ask: Awaited<ReturnType<typeof limitedKeys<Limited>>>;

beforeAll(async () => {
  ask = await limitedKeys(await serving(undefined, { now: () => NOW }), LIMITS);
});

/** Codes that a caller gets who writes, reads and recalls. */
async function codesOf(name: string, send: (path: string, json: unknown) => Promise<Answer>) {
  const answers = [
    await send('/v1/continuity/upsert', {
      ...{ subject_kind: 'thread', subject_id: name },
      capsule: capsuleOf({ subject_id: name }),
    }),
    await send('/v1/continuity/list', {}),
    await send(`/v1/agents/${CTO_ID}/recall-instruction`, { intent: 'done for today' }),
  ];
  return answers.map((it) => it.code ?? it.status);
}

const DENIED = 'instruction_scope_denied';

describe('a limited key', () => {
  test.each([
    ['nothing', [201, 200, 200]],
    ['reads', [DENIED, 200, DENIED]],
    ['writes', [201, DENIED, DENIED]],
    ['instructions', [DENIED, DENIED, 200]],
    ['tasks', [DENIED, DENIED, 200]],
  ] as const)('that is limited to %s may do that alone', async (who, codes) => {
    expect(await codesOf(who, (path, json) => ask(who, 'POST', path, { json }))).toEqual(codes);
  });
});

describe('a token of the control plane', () => {
  let deployment: Related;
  let woken: Serving;

  beforeAll(async () => {
    deployment = await related();
    woken = await serving(undefined, { ...deployment, now: () => NOW });
  });

  test.each([
    ['nothing', {}, [201, 200, 200]],
    ['a scope', { scope: 'continuity:read' }, [DENIED, 200, DENIED]],
    ['two scopes', { scope: 'instructions continuity:write' }, [201, DENIED, 200]],
    ['scopes of another service', { scope: 'openid profile' }, [DENIED, DENIED, DENIED]],
    ['a namespace', { namespaces: ['tasks'] }, [DENIED, DENIED, 200]],
  ] as const)('that is limited to %s may do that alone', async (name, claims, codes) => {
    const headers = { authorization: `Bearer ${await deployment.plane.sign('cto', { now: NOW, claims })}` };
    expect(await codesOf(name, (path, json) => woken.ask(null, 'POST', path, { json, headers }))).toEqual(codes);
  });
});
