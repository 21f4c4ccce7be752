import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { TrustRoot } from '../../../compiler/schema/source/trust-root.ts';
import { CLOCK_SKEW_S, tokenVerifier } from '../../../server/auth/jwt.ts';
import { controlPlane, type Over, type Plane } from '../../support/controlplane.ts';
import { person, staff } from '../../support/staff.ts';

const NOW = Date.parse('2026-05-04T12:00:00Z');
const SECONDS = NOW / 1000;
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

  test('the cache of tokens is bounded, and keeps tokens that are in use', async () => {
    const verify = signatures();
    const verifier = tokenVerifier({ trust: () => root, now: () => NOW });
    const [first, frequent] = [await sign({}, 'first'), await sign({}, 'frequent')];
    await verifier(first);
    await verifier(frequent);
    for (let i = 0; i < 4096; i++) {
      await verifier(await sign({}, `a${i}`));
      if (i % 1000 === 0) await verifier(frequent);
    }
    const before = verify.mock.calls.length;
    await verifier(frequent);
    expect(verify.mock.calls.length).toBe(before);
    await verifier(first);
    expect(verify.mock.calls.length).toBe(before + 1);
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
