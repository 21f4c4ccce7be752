import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { leaseQuotas } from '../../../server/workers/lease-quotas.ts';
import { leasedHits } from '../../../server/workers/leased-hits.ts';

const WINDOW_MS = 60_000;

/** Workers that count by one keeper of quotas, at a time that the test sets. */
function workers(count: number) {
  const clock = { now: 1_000_000 };
  const now = () => clock.now;
  const lease = leaseQuotas(count, now);
  let asked = 0;
  const ask: typeof lease = (request) => {
    asked += 1;
    return lease(request);
  };
  const hits = Array.from({ length: count }, () => leasedHits((request) => Promise.resolve(ask(request)), now));
  const passes = async (worker: number, quota: number, key = 'key:1') =>
    !(await hits[worker % count]!('agent', quota, key)).isOver;
  return { clock, passes, hits, asked: () => asked };
}

describe('DESIGN §6.12 limits that several workers count together', () => {
  test('whichever workers a caller meets, no window lets more than its quota pass', async () => {
    const plan = fc.record({
      count: fc.integer({ min: 1, max: 8 }),
      quota: fc.integer({ min: 1, max: 100 }),
      asked: fc.array(fc.nat(7), { maxLength: 150 }),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ count, quota, asked }) => {
        const { passes } = workers(count);
        let passed = 0;
        for (const worker of asked) if (await passes(worker, quota)) passed += 1;
        expect(passed).toBeLessThanOrEqual(quota);
      }),
    );
  });

  test('a caller who meets one worker alone gets the whole quota from it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 60 }), async (count, quota) => {
        const { passes } = workers(count);
        for (let i = 0; i < quota; i++) expect(await passes(0, quota)).toBe(true);
        expect(await passes(0, quota)).toBe(false);
      }),
    );
  });

  test('requests that arrive together take no more than one after the other', async () => {
    const { passes } = workers(3);
    const passed = await Promise.all(Array.from({ length: 90 }, (_, i) => passes(i, 40)));
    expect(passed.filter(Boolean)).toHaveLength(40);
  });

  test('most requests ask nobody, and one beyond the limit asks nobody either', async () => {
    const { passes, asked } = workers(4);
    for (let i = 0; i < 600; i++) await passes(0, 600);
    expect(asked()).toBeLessThan(90);
    await passes(0, 600);
    const before = asked();
    for (let i = 0; i < 100; i++) expect(await passes(0, 600)).toBe(false);
    expect(asked()).toBe(before);
  });

  test('a minute after the first request the quota begins anew, for every worker', async () => {
    const { clock, passes } = workers(2);
    for (let i = 0; i < 10; i++) await passes(i, 10);
    expect([await passes(0, 10), await passes(1, 10)]).toEqual([false, false]);
    clock.now += WINDOW_MS - 1;
    expect([await passes(0, 10), await passes(1, 10)]).toEqual([false, false]);
    clock.now += 1;
    expect([await passes(0, 10), await passes(1, 10)]).toEqual([true, true]);
  });

  test('each caller and each limit has its own', async () => {
    const { passes, hits } = workers(2);
    for (let i = 0; i < 5; i++) await passes(0, 5);
    expect(await passes(0, 5)).toBe(false);
    expect(await passes(0, 5, 'key:2')).toBe(true);
    expect((await hits[0]!('failure', 5, 'key:1')).isOver).toBe(false);
  });

  test('a clock that was set back locks nobody out', async () => {
    const { clock, passes } = workers(1);
    for (let i = 0; i < 3; i++) await passes(0, 3);
    clock.now -= 3_600_000;
    const { granted } = leaseQuotas(1, () => clock.now)({ limit: 'agent', quota: 3, key: 'key:1' });
    expect(granted).toBeGreaterThan(0);
  });

  test('where the keeper of the quotas does not answer, a request is refused and may be sent again', async () => {
    const hits = leasedHits(() => Promise.reject(new Error('no answer in time')), Date.now);
    await expect(hits('agent', 5, 'key:1')).rejects.toMatchObject({ code: 'recall_backend_unavailable' });
  });
});
