import fc from 'fast-check';
import { expect, test } from 'vitest';
import { charactersOf, hasRun } from '../../../compiler/lint/rules/runs.ts';

test('a run of characters is found wherever it is, and never where it is one short', () => {
  const characters = charactersOf(/[\w+/=-]/);
  const piece = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'Z', '0', '_', '/', '-'), maxLength: 24 }),
    fc.string({ unit: fc.constantFrom(' ', '.', '\n', 'é', '😀', '\ud83d'), maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(piece), fc.integer({ min: 1, max: 32 }), (pieces, length) => {
      const text = pieces.join('');
      expect(hasRun(text, characters, length)).toBe(new RegExp(`[\\w+/=-]{${length}}`).test(text));
    }),
    { numRuns: 500 },
  );
});
