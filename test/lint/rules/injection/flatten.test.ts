import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flatten, flatText } from '../../../../compiler/lint/rules/injection.ts';
import { anyCharacter } from '../../../support/any-character.ts';

/** Lines with everything that is flattened in a way of its own. */
const piece = fc.constantFrom(
  '# Title',
  '- item',
  '1. one',
  '> quoted',
  '```',
  '~~~',
  '| a | b |',
  'key: value',
  '',
  '  ',
  '**bold** _word_',
  '`code`',
  '"said"',
  '“so”',
  "it's",
  '&#x41;',
  '\\u0042',
  'É',
  'ß',
  'ﬁ',
  '㍿',
  '𝔸',
  '\u200b',
  'e\u0301',
  '\ud800',
  'plain words',
);
const text = fc
  .array(fc.oneof(piece, fc.string({ unit: anyCharacter, maxLength: 12 })), { maxLength: 30 })
  .map((it) => it.join('\n'));

test('the text alone is the text of the whole flattening, whatever came before', () => {
  fc.assert(
    fc.property(text, (it) => {
      expect(flatText(it)).toBe(flatten(it).text);
    }),
  );
});

test('every character of the flat text has a place in the original', () => {
  fc.assert(
    fc.property(text, (it) => {
      const { text: flat, offsets, quoted } = flatten(it);
      expect([offsets.length, quoted.length]).toEqual([flat.length, flat.length]);
      expect(Array.from(offsets).every((at, i, all) => at <= it.length && (i === 0 || at >= (all[i - 1] ?? 0)))).toBe(
        true,
      );
    }),
  );
});
