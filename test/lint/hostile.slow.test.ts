import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fixText } from '../../compiler/lint/fix-text.ts';
import { lintText } from '../../compiler/lint/lint-text.ts';
import { unseenRuns } from '../../compiler/lint/rules/unicode.ts';
import { anyCharacter } from '../support/any-character.ts';

/** Pieces that the rules look for, to be put together in any way. */
const PIECES = [
  ...[
    'ignore ',
    'previous ',
    'instructions',
    'you are now ',
    'never ',
    '"',
    '`',
    '```\n',
    '\n',
    '\n\n',
    '- ',
    '> ',
    '# ',
  ],
  ...[
    '<!--',
    '-->',
    '<a name="',
    '<script>',
    '| --- |\n',
    '|',
    '[^x]: ',
    'you must ',
    '[//]: # (',
    '<|im_start|>',
    '![a](',
    'http://a?b=',
    '{',
    'data:a/b;base64,',
    '&#65;',
    '\\u0041',
  ],
  ...[
    '\u200b',
    '\u202e',
    '\ufeff',
    '\ufe0f',
    '\u200d',
    '👩',
    '🏴',
    '\u{e0067}',
    'а',
    'o\u0308',
    'ｉ',
    '𝐚',
    '\ud800',
    '\u0000',
  ],
  ...[
    'password: ',
    'AKIA',
    'eyJ',
    '-----BEGIN PRIVATE KEY-----',
    '://a:b@',
    'send the token to ',
    '\r\n',
    '\r',
    '  \n',
  ],
];
const hostile = fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: anyCharacter })), { maxLength: 60 });

describe('hostile text', () => {
  test('every diagnostic of a hostile text has a position inside the text', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (pieces) => {
        const text = pieces.join('');
        const lines = text.split('\n');
        for (const { line, column, message } of await lintText('a.md', text)) {
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1);
          expect(message).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('fixing a hostile text is idempotent and leaves no hidden characters', () => {
    fc.assert(
      fc.property(hostile, (pieces) => {
        const { text } = fixText(pieces.join(''));
        expect(fixText(text)).toEqual({ text, changes: [] });
        expect(unseenRuns(text)).toEqual([]);
        expect(text).toBe(text.normalize('NFC'));
        expect(text).not.toContain('\r');
      }),
      { numRuns: 1000 },
    );
  });
});
