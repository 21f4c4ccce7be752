import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { matchesPattern } from '../../../compiler/capabilities/atoms/pattern-match.ts';

const texts = fc.stringMatching(/^[ab \-/_\n^$(|]{0,8}$/);
const patterns = fc.oneof(
  fc.stringMatching(/^[ab \-/^$(|)]{0,16}$/),
  fc.stringMatching(/^\^[ab \-/]{0,3}\([ab \-/$|]{0,8}\)$/),
);

/** The answer of RE2; null where it refuses the pattern. */
function byRe2(text: string, pattern: string): boolean | null {
  try {
    return RE2JS.compile(pattern).matcher(text).find();
  } catch {
    return null;
  }
}

function matched(text: string, pattern: string): boolean | null {
  try {
    return matchesPattern(text, pattern);
  } catch {
    return null;
  }
}

test('a pattern of words and choices means the same to both engines', () => {
  fc.assert(
    fc.property(texts, patterns, (text, pattern) => {
      expect(matched(text, pattern)).toBe(byRe2(text, pattern));
    }),
    { numRuns: 3000 },
  );
});

test.each(['^cargo( |$)', '^(npm|pnpm) (test|run )', '(', 'a)', '', '^$', '()|a', 'a$b', '(^a|b$)c'])(
  'both engines agree on %j',
  (pattern) => {
    for (const text of ['', 'cargo', 'cargo test', 'cargox', 'pnpm run a', 'a', 'b', 'ac', 'a$b', '(', 'a\n', '\na'])
      expect([text, matched(text, pattern)]).toEqual([text, byRe2(text, pattern)]);
  },
);

test.each([
  ['groups of choices after each other', `^${'(a|a)'.repeat(40)}$`, 'a'.repeat(40)],
  ['choices at any place', `${'(a|a)'.repeat(8)}b`, 'a'.repeat(100_000)],
  ['a long word at any place', `${'a'.repeat(10_000)}b`, 'a'.repeat(100_000)],
])('%s are matched in linear time', (_what, pattern, text) => {
  expect(matchesPattern(`${text}!`, pattern)).toBe(false);
});
