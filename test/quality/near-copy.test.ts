import { describe, expect, test } from 'vitest';
import { isNearCopy, stemsIn } from '../../compiler/quality/near-copy.ts';

const near = (a: string, b: string) => isNearCopy(stemsIn(a), stemsIn(b));
const set = (from: number, to: number) => new Set(Array.from({ length: to - from }, (_, i) => `${from + i}`));

describe('two texts are near copies', () => {
  test.each([
    ['with the same words in another order', 'refund a double charge', 'a charge was refunded, doubled', true],
    ['with one word of four exchanged', 'rotate the leaked api key', 'rotate a leaked api token', true],
    ['not in other words', 'the release broke checkout, do I take it back', 'undo the last deploy', false],
    ['not with half of the words', 'book a flight to Rome', 'book a table in Rome', false],
    ['not without any word that carries meaning', 'what is it for', 'what is it for', false],
    ['not where one has none', 'what is it for', 'refund a charge', false],
  ])('%s', (_how, a, b, expected) => {
    expect([near(a, b), near(b, a)]).toEqual([expected, expected]);
  });

  test('from seven common words of ten on, exactly', () => {
    expect(isNearCopy(set(0, 10), set(3, 13))).toBe(true);
    expect(isNearCopy(set(0, 10), set(4, 14))).toBe(false);
  });
});
