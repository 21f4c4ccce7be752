import { describe, expect, test } from 'vitest';
import { shownJson, shownText } from '../../compiler/cli/shown-text.ts';

describe('text on its way to a terminal', () => {
  test.each([
    ['an escape sequence', 'a\u001b[2Jb', 'a<U+001B>[2Jb'],
    ['a C1 control sequence', 'a\u009b2Jb', 'a<U+009B>2Jb'],
    ['a carriage return that overwrites its line', 'paid\rfree', 'paid<U+000D>free'],
    ['a backspace', 'ab\bc', 'ab<U+0008>c'],
    ['NUL', 'a\0b', 'a<U+0000>b'],
    ['an override of the direction', 'a\u202eb', 'a<U+202E>b'],
    ['a zero-width space', 'a\u200bb', 'a<U+200B>b'],
    ['tags', 'a\u{e0041}\u{e0042}', 'a<U+E0041><U+E0042>'],
    ['a line separator', 'a\u2028b', 'a<U+2028>b'],
  ])('shows %s by its code point', (_, text, shown) => {
    expect([shownText(text), shownText([text])]).toEqual([shown, shown]);
  });

  test.each(['👩‍💻 ❤️', 'می‌خواهم', 'क्‍ष', 'שלום\u200f!', 'x\n\ty\r\n'])('leaves %j as it is', (text) => {
    expect(shownText(text)).toBe(text);
  });

  test('of lines, none begins another', () => {
    expect(shownText(['a\nforged', 'b\r\n\tc'])).toBe('a<U+000A>forged\nb<U+000D><U+000A><U+0009>c');
  });

  test('JSON has the same values, and nothing that a terminal obeys', () => {
    const value = { a: '\u009b2J\u202e\u{e0041}\u001b👩‍💻' };
    expect(shownJson(value)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(JSON.parse(shownJson(value, 2))).toEqual(value);
  });
});
