import type { Response } from 'express';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Holder, Identity } from '../../../server/auth/authenticate.ts';
import { rateLimits, type RateLimits } from '../../../server/auth/rate-limits.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-05-04T12:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

type Counted = (response: Response) => Promise<void>;

/** The headers of an answer, and the code of its error; no code where it is not refused. */
async function answered(count: Counted) {
  const headers: Record<string, unknown> = {};
  const response = { setHeader: (name: string, value: unknown) => (headers[name] = value) } as unknown as Response;
  const code = await count(response).then(
    () => undefined,
    (error: unknown) => (error as { code: unknown }).code,
  );
  return { headers, code };
}

/** How many of these requests pass before the first one that is refused; at most 100. */
async function passing(count: Counted): Promise<number> {
  for (let passed = 0; passed < 100; passed++) if ((await answered(count)).code !== undefined) return passed;
  return 100;
}

const identity = (holder: Holder, id = 'key:1') => ({ holder, id }) as Identity;
const AGENT: Holder = { kind: 'agent', agent: 'cto' };
const ADMIN: Holder = { kind: 'admin', entity: 'acme/human/ann' };
const SCRAPER: Holder = { kind: 'reader', reads: 'metrics' };
const caller = (limits: RateLimits, who: Identity) => (response: Response) => limits.countCaller(who, response);
const address = (limits: RateLimits, from: string) => (response: Response) => limits.countAddress(from, response);
const failure = (limits: RateLimits, from: string) => (response: Response) => limits.countFailure(from, response);

describe('DESIGN §6.12 rate limits', () => {
  test('each answer has the policy, what is left and when it ends; a refused one says when to come back', async () => {
    const limits = rateLimits(2);
    const headers = (left: number, seconds: number) => ({
      'RateLimit-Policy': '"agent";q=2;w=60',
      RateLimit: `"agent";r=${left};t=${seconds}`,
    });
    const ask = () => answered(caller(limits, identity(AGENT)));
    expect(await ask()).toEqual({ headers: headers(1, 60), code: undefined });
    vi.advanceTimersByTime(9999);
    expect(await ask()).toEqual({ headers: headers(0, 51), code: undefined });
    expect(await ask()).toEqual({ headers: { ...headers(0, 51), 'Retry-After': 51 }, code: 'rate_limited' });
    vi.advanceTimersByTime(50_000);
    expect(await ask()).toMatchObject({ headers: { 'Retry-After': 1 }, code: 'rate_limited' });
  });

  test('a minute after the first request, all of them are there again', async () => {
    const limits = rateLimits(2);
    expect(await passing(caller(limits, identity(AGENT)))).toBe(2);
    vi.advanceTimersByTime(59_999);
    expect(await passing(caller(limits, identity(AGENT)))).toBe(0);
    vi.advanceTimersByTime(1);
    expect(await passing(caller(limits, identity(AGENT)))).toBe(2);
  });

  test('each key has its own; an administrator’s is ten times as high, a scraper’s is not', async () => {
    const limits = rateLimits(3);
    expect(await passing(caller(limits, identity(AGENT)))).toBe(3);
    expect(await passing(caller(limits, identity(AGENT, 'key:2')))).toBe(3);
    expect(await passing(caller(limits, identity(ADMIN)))).toBe(30);
    expect(await passing(caller(limits, identity(SCRAPER, 'key:3')))).toBe(3);
    expect((await answered(caller(limits, identity(ADMIN)))).headers['RateLimit-Policy']).toBe('"admin";q=30;w=60');
  });

  test('each address has its own, and a tenth of it for failed authentications, rounded up', async () => {
    const limits = rateLimits(11);
    expect(await passing(address(limits, '192.0.2.1'))).toBe(11);
    expect(await passing(address(limits, '192.0.2.2'))).toBe(11);
    expect(await passing(failure(limits, '192.0.2.1'))).toBe(2);
    expect(await passing(failure(limits, '192.0.2.2'))).toBe(2);
    const policies = await Promise.all([address, failure].map((count) => answered(count(limits, '192.0.2.3'))));
    expect(policies.map(({ headers }) => headers['RateLimit-Policy'])).toEqual([
      '"address";q=11;w=60',
      '"failure";q=2;w=60',
    ]);
  });

  test('addresses of one IPv6 subscriber, a /64, share theirs', async () => {
    for (const count of [address, failure]) {
      const limits = rateLimits(20);
      const first = await passing(count(limits, '2001:db8:0:1::1'));
      expect(first).toBe(count === address ? 20 : 2);
      expect(await passing(count(limits, '2001:db8:0:1:ffff::2'))).toBe(0);
      expect(await passing(count(limits, '2001:db8:0:2::1'))).toBe(first);
    }
  });

  test('without a number an agent has 600 requests a minute', async () => {
    const { headers } = await answered(caller(rateLimits(), identity(AGENT)));
    expect(headers).toEqual({ 'RateLimit-Policy': '"agent";q=600;w=60', RateLimit: '"agent";r=599;t=60' });
  });

  test('a limit of 0 counts nothing and tells nothing', async () => {
    const limits = rateLimits(0);
    for (const count of [caller(limits, identity(AGENT)), address(limits, '::1'), failure(limits, '::1')]) {
      expect(await passing(count)).toBe(100);
      expect((await answered(count)).headers).toEqual({});
    }
  });
});
