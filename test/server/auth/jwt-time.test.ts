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
/** What a fresh server, at a moment of its own, makes of a token. */
const judge = (token: string, at = NOW) => tokenVerifier({ trust: () => root, now: () => at })(token);
const judged = async (over: Over) => judge(await sign(over));
const signatures = () => vi.spyOn(crypto.subtle, 'verify');

describe('clocks may differ by half a minute, and no more', () => {
  test.each([
    ['ended', { exp: SECONDS - CLOCK_SKEW_S + 1 }, { exp: SECONDS - CLOCK_SKEW_S }],
    ['has not begun', { nbf: SECONDS + CLOCK_SKEW_S }, { nbf: SECONDS + CLOCK_SKEW_S + 1 }],
    ['was issued', { iat: SECONDS + CLOCK_SKEW_S }, { iat: SECONDS + CLOCK_SKEW_S + 1 }],
  ])('where it %s', async (_, within, beyond) => {
    const claims = { iat: SECONDS - 600, nbf: SECONDS - 600 };
    expect(await judged({ claims: { ...claims, ...within } })).not.toBeNull();
    expect(await judged({ claims: { ...claims, ...beyond } })).toBeNull();
  });

  test('the clock is the server’s own, whatever the machine’s says', async () => {
    const then = Date.parse('2031-01-01T00:00:00Z');
    const token = await plane.sign('cto', { now: then });
    expect(await judge(token, then)).not.toBeNull();
    expect(await judge(token, NOW)).toBeNull();
  });
});

describe('a recall does not wait for a signature', () => {
  test('a token is proven once and remembered for a minute', async () => {
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

  test('but never beyond its end, nor before its beginning when a clock is set back', async () => {
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

  test('nor beyond a change of the trust root: a key or an administrator that was taken out is out at once', async () => {
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

  test('what is remembered is bounded; whoever asks again and again stays', async () => {
    const verify = signatures();
    const verifier = tokenVerifier({ trust: () => root, now: () => NOW });
    const [first, faithful] = [await sign({}, 'first'), await sign({}, 'faithful')];
    await verifier(first);
    await verifier(faithful);
    for (let i = 0; i < 4096; i++) {
      await verifier(await sign({}, `a${i}`));
      if (i % 1000 === 0) await verifier(faithful);
    }
    const before = verify.mock.calls.length;
    await verifier(faithful);
    expect(verify.mock.calls.length).toBe(before);
    await verifier(first);
    expect(verify.mock.calls.length).toBe(before + 1);
  });

  test('a refusal is not remembered', async () => {
    let now = NOW;
    const verifier = tokenVerifier({ trust: () => root, now: () => now });
    const token = await sign({ claims: { nbf: SECONDS + 100 } });
    expect(await verifier(token)).toBeNull();
    now += 100_000;
    expect(await verifier(token)).not.toBeNull();
  });
});
