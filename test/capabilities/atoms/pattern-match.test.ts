import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { matchesPattern } from '../../../compiler/capabilities/atoms/pattern-match.ts';

const texts = fc.stringMatching(/^[ab \-/_\n^$(|]{0,8}$/);
const patterns = fc.stringMatching(/^[ab \-/^$(|)]{0,16}$/);

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

test('a pattern without repetitions means the same to both engines', () => {
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

test('choices that could be tried in too many ways are left to RE2', () => {
  const pattern = `^${'(a|a)'.repeat(40)}$`;
  expect(matchesPattern(`${'a'.repeat(40)}!`, pattern)).toBe(false);
});
