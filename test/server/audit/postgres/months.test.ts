import { encodeTime } from 'ulid';
import { describe, expect, test } from 'vitest';
import { knownMonths, monthOf, monthOfToken, monthsOf, partitionOf } from '../../../../server/audit/postgres/months.ts';

const tokenOf = (at: number) => `audi_${encodeTime(at)}0123456789ABCDEF_aaaaaaaaaaaaaaaaaaaaaa`;
const LAST_OF_JANUARY = Date.UTC(2027, 1, 1) - 1;

describe('§21.5 the month of an entry on PostgreSQL', () => {
  test.each([
    [0, 197_001],
    [LAST_OF_JANUARY, 202_701],
    [LAST_OF_JANUARY + 1, 202_702],
    [Date.UTC(2027, 11, 31, 23, 59, 59, 999), 202_712],
  ])('is in UTC that of its token, issued at %d, whatever its own time', (at, month) => {
    expect(monthOfToken(tokenOf(at))).toBe(month);
    expect(monthOf({ audit_token: tokenOf(at), created_at: at + 86_400_000 })).toBe(month);
  });

  test('is that of its time without a token, or with one that carries none', () => {
    for (const audit_token of ['', 'audi_7', `audi_8${'Z'.repeat(25)}_a`, `x${tokenOf(0)}`]) {
      expect(monthOfToken(audit_token)).toBeNull();
      expect(monthOf({ audit_token, created_at: LAST_OF_JANUARY })).toBe(202_701);
    }
  });

  test('is one that a partition can have, for any time', () => {
    const months = [-1, 1e18].map((created_at) => monthOf({ audit_token: '', created_at }));
    expect(months).toEqual([197_001, 999_912]);
    expect(partitionOf('intents', 202_701)).toBe('intents_2027_01');
  });

  test('of a time window include the closings of a day later, by any clock', () => {
    expect(monthsOf(Date.UTC(2027, 1, 2), Date.UTC(2027, 1, 27))).toEqual([202_701, 202_703]);
    expect(monthsOf(Date.UTC(2027, 1, 10), Date.UTC(2027, 1, 20))).toEqual([202_702, 202_702]);
  });
});

describe('the months of a store', () => {
  function recording() {
    const added: unknown[] = [];
    const query = (_: string, given: readonly unknown[]) => Promise.resolve(void added.push(...given));
    return { added, months: knownMonths({ query } as unknown as Parameters<typeof knownMonths>[0]) };
  }
  const at = (created_at: number) => ({ audit_token: '', created_at });

  test('are added once, and again after they may have been dropped', async () => {
    const { added, months } = recording();
    await months.ensure([at(LAST_OF_JANUARY), at(LAST_OF_JANUARY), at(LAST_OF_JANUARY + 1)]);
    await months.ensure([at(LAST_OF_JANUARY)]);
    expect(added).toEqual([[202_701, 202_702]]);
    months.forget();
    await months.ensure([at(LAST_OF_JANUARY)]);
    expect(added).toEqual([[202_701, 202_702], [202_701]]);
  });
});
