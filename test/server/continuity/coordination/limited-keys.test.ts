import { beforeAll, describe, expect, test } from 'vitest';
import { CT_ID, CTO2_ID } from '../../deployment.ts';
import { limitedKeys } from '../limited.ts';
import { coordinating, SUBJECT } from './coordinating.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const LIMITS = {
  nothing: {},
  peer: { peers: [CTO2_ID] },
  'no peer': { peers: [] },
  reads: { scopes: ['continuity:read'] },
  writes: { scopes: ['continuity:write'] },
  instructions: { scopes: ['instructions'] },
  coordination: { namespaces: ['coordination'] },
  capsules: { namespaces: ['continuity'] },
};

let ask: Awaited<ReturnType<typeof limitedKeys<keyof typeof LIMITS>>>;

beforeAll(async () => {
  ask = await limitedKeys(await coordinating(undefined, { now: () => NOW }), LIMITS);
});

const DENIED = 'instruction_scope_denied';

async function outcomes(who: keyof typeof LIMITS) {
  const post = (route: string, json: unknown) => ask(who, 'POST', `/v1/coordination/${route}`, { json });
  const share = (...participant_peers: string[]) => post('shared/create', { title: 'release', participant_peers });
  const answers = [
    await post('handoff/create', { ...SUBJECT, recipient_peer: 'cto2' }),
    await post('handoff/create', { ...SUBJECT, recipient_peer: CT_ID }),
    await share(),
    await share('cto2'),
    await share('cto2', 'ct'),
    await ask(who, 'GET', '/v1/coordination/handoffs/query'),
  ];
  return answers.map((it) => it.code ?? it.status);
}

describe('a key of an agent hands over, shares and reads', () => {
  test.each([
    ['nothing', [201, 201, 201, 201, 201, 200]],
    ['peer', [201, DENIED, 201, 201, DENIED, 200]],
    ['no peer', [DENIED, DENIED, 201, DENIED, DENIED, 200]],
    ['reads', [DENIED, DENIED, DENIED, DENIED, DENIED, 200]],
    // content that goes to another agent is read from a capsule
    ['writes', [DENIED, DENIED, 201, 201, 201, DENIED]],
    ['instructions', [DENIED, DENIED, DENIED, DENIED, DENIED, DENIED]],
    ['coordination', [DENIED, DENIED, 201, 201, 201, 200]],
    ['capsules', [DENIED, DENIED, DENIED, DENIED, DENIED, DENIED]],
  ] as const)('as %s limits it', async (who, expected) => {
    expect(await outcomes(who)).toEqual(expected);
  });

  test('to a limited key every other agent is denied, whether there is one or not', async () => {
    for (const recipient_peer of ['ct', 'nobody', 'default']) {
      const answer = await ask('peer', 'POST', '/v1/coordination/handoff/create', {
        json: { ...SUBJECT, recipient_peer },
      });
      expect([answer.status, answer.code]).toEqual([403, DENIED]);
    }
  });
});
