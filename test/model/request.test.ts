import { describe, expect, test } from 'vitest';
import { RecallRequest } from '../../compiler/model/recall.ts';

const accepts = (request: object) => RecallRequest.safeParse(request).success;

describe('§21.3.1 a recall request', () => {
  test('needs an intent and nothing else', () => {
    expect(RecallRequest.parse({ intent: 'start work' })).toEqual({
      intent: 'start work',
      max_chunks: 3,
      token_budget: 2000,
      manifest_hint: [],
    });
    expect(accepts({})).toBe(false);
  });

  test.each([
    ['max_chunks', 1, 50],
    ['token_budget', 1, 100_000],
  ])('DESIGN §6.6 keeps %s between %i and %i', (key, low, high) => {
    for (const value of [low, high]) expect(accepts({ intent: 'x', [key]: value })).toBe(true);
    for (const value of [low - 1, high + 1, 1e9, 2.5, -1, '3', null, Number.NaN]) {
      expect(accepts({ intent: 'x', [key]: value })).toBe(false);
    }
  });

  test('DESIGN §6.6 keeps an intent to 8,000 characters', () => {
    expect(accepts({ intent: 'x'.repeat(8000) })).toBe(true);
    expect(accepts({ intent: 'x'.repeat(8001) })).toBe(false);
    expect(accepts({ intent: '' })).toBe(false);
    expect(accepts({ intent: ['x'] })).toBe(false);
  });

  test('DESIGN §6.6 takes at most ten hints, each once, each a name', () => {
    const hints = (count: number) => Array.from({ length: count }, (_, i) => `unit-${i}`);
    expect(accepts({ intent: 'x', manifest_hint: hints(10) })).toBe(true);
    expect(accepts({ intent: 'x', manifest_hint: hints(11) })).toBe(false);
    expect(accepts({ intent: 'x', manifest_hint: ['a', 'a'] })).toBe(false);
    expect(accepts({ intent: 'x', manifest_hint: ['../a'] })).toBe(false);
    expect(accepts({ intent: 'x', manifest_hint: 'a' })).toBe(false);
  });

  test('has no field that nobody knows', () => {
    expect(accepts({ intent: 'x', wake_reason: 'manual' })).toBe(false);
    expect(accepts(JSON.parse('{"intent":"x","__proto__":{"max_chunks":1}}') as object)).toBe(false);
  });
});
