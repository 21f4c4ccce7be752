import { describe, expect, test } from 'vitest';
import { ListRequest } from '../../compiler/continuity/schema/list.ts';
import { DeleteRequest } from '../../compiler/continuity/schema/removal.ts';
import { upsert } from '../../compiler/continuity/upsert.ts';
import { capsuleOf, isStored, noFiles, OCCASION, upsertOf } from './capsules.ts';

const USER = { subject_kind: 'user', subject_id: 'ann' };

describe('bounds of the specification', () => {
  test('characters are code points, as JSON Schema counts them; half a character is refused', () => {
    const stance = (text: string) => isStored({}, { stance_summary: text });
    expect([stance('🌱'.repeat(240)), stance('🌱'.repeat(241)), stance('\ud83c')]).toEqual([true, false, false]);
  });

  test('numbers: confidence 0 to 1, stale_after_seconds 300 to 31,536,000, limit 1 to 200', () => {
    const confidence = (value: number) =>
      isStored({ confidence: { continuity: value, relationship_model: 1 - value } });
    expect([0, 1, -0.01, 1.01].map(confidence)).toEqual([true, true, false, false]);
    const stale = (stale_after_seconds: number) => isStored({ freshness: { stale_after_seconds } });
    expect([299, 300, 31_536_000, 31_536_001, 300.5].map(stale)).toEqual([false, true, true, false, false]);
    const rows = (limit: number) => ListRequest.safeParse({ limit }).success;
    expect([0, 1, 200, 201].map(rows)).toEqual([false, true, true, false]);
  });

  test('the filters of a list are as long as what they find', () => {
    const filter = (name: string, length: number) =>
      ListRequest.safeParse({ anchor_kind: 'k', [name]: 'x'.repeat(length) }).success;
    const most = { scope_anchor: 200, keyword: 40, label_exact: 120, anchor_kind: 40, anchor_value: 200 };
    for (const [name, length] of Object.entries(most))
      expect([filter(name, length), filter(name, length + 1)], name).toEqual([true, false]);
  });

  test('a reason of a deletion has 3 to 240 characters', () => {
    const isValid = (length: number) =>
      DeleteRequest.safeParse({ ...USER, delete_active: true, reason: 'x'.repeat(length) }).success;
    expect([2, 3, 240, 241].map(isValid)).toEqual([false, true, true, false]);
  });

  test('the cap counts bytes of UTF-8, not characters: 20 KB are stored, one byte more is not', () => {
    const padded = (bytes: number) => capsuleOf({ metadata: { pad: 'é'.repeat(4000) + 'x'.repeat(bytes - 8000) } });
    const sizeOf = (bytes: number) => {
      const { writes } = upsert(upsertOf(padded(bytes)), noFiles(), OCCASION);
      return writes.get('memory/continuity/thread-store.json')?.length ?? 0;
    };
    const room = 8000 + 20_480 - sizeOf(8000);
    expect(sizeOf(room)).toBe(20_480);
    expect(() => sizeOf(room + 1)).toThrow(expect.objectContaining({ code: 'capsule_invalid' }));
  });

  test('metadata is nested at most eight levels deep: a request could otherwise exhaust the stack', () => {
    const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
    expect(isStored({ metadata: { deep: nested(8) } })).toBe(true);
    expect(isStored({ metadata: { deep: nested(9) } })).toBe(false);
    expect(isStored({ metadata: { deep: nested(30_000) } })).toBe(false);
  });
});
