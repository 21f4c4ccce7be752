import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { TrustRoot } from '../../../compiler/schema/source/trust-root.ts';
import { tokenVerifier } from '../../../server/auth/jwt.ts';
import { controlPlane, type Over, type Plane } from '../../support/control-plane.ts';
import { person, staff } from '../../support/staff.ts';

const NOW = Date.parse('2026-05-04T12:00:00Z');
const SECONDS = NOW / 1000;
const CLOCK_SKEW_S = 30;
const jane = person('jane');
let plane: Plane;
let root: TrustRoot;

beforeAll(async () => {
  plane = await controlPlane();
  root = rootOf(plane);
});

afterEach(() => {
  vi.restoreAllMocks();
});

const rootOf = ({ named }: Plane) => staff([jane], { control_plane: named }).root.root;
const sign = (over: Over = {}, sub = 'cto') => plane.sign(sub, { now: NOW, ...over });
/** The result of a new verifier for a token, at a given time. */
const verifyAt = (token: string, at = NOW) => tokenVerifier({ trust: () => root, now: () => at })(token);
const verified = async (over: Over) => verifyAt(await sign(over));
const signatures = () => vi.spyOn(crypto.subtle, 'verify');

describe('clock skew', () => {
  test.each([
    ['has expired', { exp: SECONDS - CLOCK_SKEW_S + 1 }, { exp: SECONDS - CLOCK_SKEW_S }],
    ['is not valid yet', { nbf: SECONDS + CLOCK_SKEW_S }, { nbf: SECONDS + CLOCK_SKEW_S + 1 }],
    ['was issued in the future', { iat: SECONDS + CLOCK_SKEW_S }, { iat: SECONDS + CLOCK_SKEW_S + 1 }],
  ])('a clock difference of up to 30 seconds is allowed for a token that %s', async (_, within, beyond) => {
    const claims = { iat: SECONDS - 600, nbf: SECONDS - 600 };
    expect(await verified({ claims: { ...claims, ...within } })).not.toBeNull();
    expect(await verified({ claims: { ...claims, ...beyond } })).toBeNull();
  });

  test('tokens are verified by the clock that the server was given', async () => {
    const then = Date.parse('2031-01-01T00:00:00Z');
    const token = await plane.sign('cto', { now: then });
    expect(await verifyAt(token, then)).not.toBeNull();
    expect(await verifyAt(token, NOW)).toBeNull();
  });
});

describe('the lifetime of a token', () => {
  const HOUR = 3600;

  test('is at most a day from its issue, or from when it is valid if it does not say when it was issued', async () => {
    const lasting = async (exp: number, claims: { iat?: number; nbf?: number } = {}) => {
      const times = { iat: undefined, nbf: undefined, ...claims, exp };
      const seconds = Object.entries(times).map(([name, at]) => [name, at === undefined ? at : SECONDS + at]);
      return (await verified({ claims: Object.fromEntries(seconds) as Record<string, unknown> })) !== null;
    };
    const early = -20 * HOUR;
    expect([await lasting(86_400), await lasting(86_401)]).toEqual([true, false]);
    expect([await lasting(4 * HOUR, { iat: early }), await lasting(4 * HOUR, { nbf: early })]).toEqual([true, true]);
    expect(await lasting(4 * HOUR + 1, { iat: early })).toBe(false);
    expect(await lasting(4 * HOUR + 1, { nbf: early })).toBe(false);
    expect(await lasting(4 * HOUR + 1, { iat: early, nbf: 0 })).toBe(false);
    expect(await lasting(4 * HOUR + 1, { iat: 0, nbf: early })).toBe(true);
  });
});

describe('the cache of verified tokens', () => {
  test('the signature of a token is verified once, and cached for a minute', async () => {
    let now = NOW;
    const verify = signatures();
    const verifier = tokenVerifier({ trust: () => root, now: () => now });
    const token = await sign();
    const one = await verifier(token);
    for (let i = 0; i < 50; i++) expect(await verifier(token)).toBe(one);
    expect(verify).toHaveBeenCalledTimes(1);
    now += 60_000;
    expect(await verifier(token)).toEqual(one);
    expect(verify).toHaveBeenCalledTimes(2);
  });

  test('a cached token is refused after it expires, and before it is valid if the clock is set back', async () => {
    let now = NOW;
    const verifier = tokenVerifier({ trust: () => root, now: () => now });
    const token = await sign({ claims: { exp: SECONDS + 10, nbf: SECONDS - 5 } });
    expect(await verifier(token)).not.toBeNull();
    now = NOW + (10 + CLOCK_SKEW_S) * 1000;
    expect(await verifier(token)).toBeNull();
    now = NOW;
    expect(await verifier(token)).not.toBeNull();
    now = NOW - (5 + CLOCK_SKEW_S + 1) * 1000;
    expect(await verifier(token)).toBeNull();
  });

  test('a cached token is refused at once if the trust root no longer has its key or its administrator', async () => {
    let current = root;
    const verifier = tokenVerifier({ trust: () => current, now: () => NOW });
    const [agent, admin] = [await sign(), await sign({}, 'acme/human/jane')];
    expect(await Promise.all([verifier(agent), verifier(admin)])).not.toContain(null);
    current = { ...root, version: 2, admins: [] };
    expect([(await verifier(agent))?.subject, await verifier(admin)]).toEqual(['cto', null]);
    current = rootOf(await controlPlane({ one: 'EdDSA' }));
    expect([await verifier(agent), await verifier(admin)]).toEqual([null, null]);
    current = root;
    expect(await verifier(agent)).not.toBeNull();
  });

  test('the cache holds 4096 tokens, and keeps those that are in use', async () => {
    const verify = signatures();
    const verifier = tokenVerifier({ trust: () => root, now: () => NOW });
    const tokens = await Promise.all(Array.from({ length: 4097 }, (_, i) => sign({}, `a${i}`)));
    const isCached = async (i: number) => {
      const before = verify.mock.calls.length;
      await verifier(tokens[i] ?? '');
      return verify.mock.calls.length === before;
    };
    for (let i = 0; i < 4096; i++) await isCached(i);
    // a token that is asked for again is not the oldest any more
    expect(await isCached(0)).toBe(true);
    expect(await isCached(4096)).toBe(false);
    expect([await isCached(0), await isCached(2), await isCached(4096)]).toEqual([true, true, true]);
    expect(await isCached(1)).toBe(false);
  });

  test('a refusal is not cached', async () => {
    let now = NOW;
    const verifier = tokenVerifier({ trust: () => root, now: () => now });
    const token = await sign({ claims: { nbf: SECONDS + 100 } });
    expect(await verifier(token)).toBeNull();
    now += 100_000;
    expect(await verifier(token)).not.toBeNull();
  });
});
