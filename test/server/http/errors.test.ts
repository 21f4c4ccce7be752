import { beforeAll, describe, expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '../../../compiler/schema/errors.ts';
import { CONTINUITY_CODES } from '../../continuity/capsules.ts';
import { COORDINATION_CODES } from '../../continuity/coordination/artefacts.ts';
import { SCHEDULE_CODES } from '../../continuity/schedule/items.ts';
import { STORE_CODES } from '../continuity/serving.ts';
import { compiledPeers } from '../deployment.ts';
import { casesOf } from '../door-cases.ts';
import { REFUSED_HEARTBEATS } from '../operations/refused-heartbeats.ts';
import { BROKEN_SOURCES, REFUSED } from '../operations/refused-publications.ts';
import { running, type Answer, type Running } from '../running.ts';

let at = Date.now();
let server: Running;
let limited: Running;

beforeAll(async () => {
  const peers = await compiledPeers();
  server = await running({ ...peers, now: () => at });
  limited = await running({ ...peers, http: { rateLimit: 1 } });
});

/** A request that causes each code of HTTP alone. */
const PRODUCED: Partial<Record<ErrorCode, () => Promise<Answer>>> = {
  unauthenticated: () => server.ask(null, 'GET', '/v1/agents/cto/boot-stub'),
  route_not_found: () => server.ask('cto', 'GET', '/v1/nowhere'),
  method_not_allowed: () => server.ask('cto', 'DELETE', '/v1/agents/cto/boot-stub'),
  publish_disabled: () => server.ask('admin', 'PUT', '/v1/agents/cto/instruction-manifest', { json: {} }),
  rate_limited: async () => {
    await limited.ask('cto', 'GET', '/v1/agents/cto/boot-stub');
    return limited.ask('cto', 'GET', '/v1/agents/cto/boot-stub');
  },
  payload_too_large: () => server.recall('cto', 'cto', { intent: 'x'.repeat(70_000) }),
  origin_refused: () =>
    server.ask('cto', 'POST', '/mcp', { json: {}, headers: { origin: 'https://elsewhere.example' } }),
  internal: async () => {
    const good = at;
    at = Number.NaN; // an invalid clock causes an internal error
    const answer = await server.recall('cto', 'cto', { intent: 'hand over' });
    at = good;
    return answer;
  },
};

/** Codes of the doors, publishing, heartbeats, continuity and damaged files: their own tests bring about every one. */
const REFUSED_ELSEWHERE: readonly ErrorCode[] = [
  ...Object.values(casesOf({ at })).flatMap((cases) => cases.flatMap(({ code }) => code ?? [])),
  ...REFUSED.map(([code]) => code),
  BROKEN_SOURCES.refused[0],
  ...REFUSED_HEARTBEATS.map(({ code }) => code),
  ...CONTINUITY_CODES,
  ...COORDINATION_CODES,
  ...STORE_CODES,
  ...SCHEDULE_CODES,
  'audit_unverified',
  'continuity_unusable',
];

describe('§21.9 the table of errors', () => {
  test('these tests cover every error code with an HTTP status', () => {
    const overHttp = Object.entries(ERRORS).flatMap(([code, entry]) => ('status' in entry ? [code] : []));
    expect([...new Set([...Object.keys(PRODUCED), ...REFUSED_ELSEWHERE])].sort()).toEqual(overHttp.sort());
  });

  test.each(Object.entries(PRODUCED))(
    'the error %s has its status and its `retryable` in the answer',
    async (code, produce) => {
      const entry = ERRORS[code as ErrorCode];
      const answer = await produce();
      expect([answer.code, answer.status]).toEqual([code, 'status' in entry ? entry.status : undefined]);
      expect(answer.json()['error']).toMatchObject({ code, retryable: entry.retryable });
    },
  );

  test('an internal error is logged, and its message and stack are not in the answer', async () => {
    const answer = await PRODUCED.internal?.();
    expect(answer?.text).not.toMatch(/RangeError|Invalid time|\.ts|\bat /);
    expect(server.log.filter((it) => it['code'] === 'internal')).not.toHaveLength(0);
  });
});
