import { describe, expect, test } from 'vitest';
import { exactness } from '../../../compiler/recall/files/exactness.ts';

describe('A pattern is the more exact', () => {
  test.each([
    ['**/*', '**/*.ts', 0, 0],
    ['**/*.{ts,tsx}', '**/*.test.ts', 0, 5],
    ['src/**', 'src/pay/**', 3, 6],
    ['**/Makefile', 'tools/Makefile', 8, 13],
    ['*.env', '.env', 0, 4],
  ])('the more letters it spells out: %s, then %s', (rough, exact, fewer, more) => {
    expect([exactness(rough), exactness(exact)]).toEqual([fewer, more]);
  });
});
