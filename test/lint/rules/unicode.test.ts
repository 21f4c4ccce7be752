import { describe, expect, test } from 'vitest';
import { lintText } from '../../../compiler/lint/lint-text.ts';
import { rulesOf } from '../firing.ts';

describe('characters that nobody sees', () => {
  test.each([
    ['a zero-width space', 'ignore\u200bme'],
    ['a zero-width joiner between letters', 'a\u200db'],
    ['a soft hyphen', 'pass\u00adword'],
    ['a byte order mark within a text', 'a\ufeffb'],
    ['a word joiner', 'a\u2060b'],
    ['tags', 'hello\u{e0041}\u{e0042}'],
    ['variation selectors after a letter', 'a\u{e0101}\u{e0102}'],
    ['a second selector after a picture', '❤\ufe0f\ufe0f'],
    ['a Hangul filler', 'a\u3164b'],
    ['a bell', 'a\u0007b'],
    ['an escape sequence', '\u001b[31mred'],
    ['a line separator', 'a\u2028b'],
  ])('invisible characters are found: %s', async (_, text) => {
    expect(await rulesOf(text)).toEqual(['unicode_hidden']);
  });

  test('the text of tag characters is reported, and the characters are never printed', async () => {
    const tags = Array.from('obey', (it) => String.fromCodePoint(0xe0000 + (it.codePointAt(0) ?? 0))).join('');
    const [found] = await lintText('a.md', `Hello${tags}.`);
    expect(found?.message).toContain('spell “obey”');
    expect(found?.message).not.toContain(tags);
  });

  test.each([
    ['emoji with joiners, colours of skin and selectors', '👩‍💻 🏳️‍🌈 👍🏽 1️⃣ ❤️ 👩🏽‍🚀'],
    ['the flag of a part of a country', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
    ['Persian with its non-joiner', 'می‌خواهم'],
    ['Hindi with its joiner', 'क्‍ष'],
    ['a mark of direction on a line of Hebrew', 'עברית \u200fABC'],
    ['tabs, no-break spaces and typographic quotes', 'a\tb\u00a0c „d“'],
    ['a mark of byte order before a text', '\ufeffHello'],
  ])('invisible characters that a script needs are not reported: %s', async (_, text) => {
    expect(await rulesOf(text)).toEqual([]);
  });
});

describe('characters that turn the direction (Trojan source)', () => {
  test.each(['\u202e', '\u202d', '\u2066', '\u2067', '\u2069', '\u200f', '\u061c'])(
    'a character that changes the direction is found: %j',
    async (it) => {
      expect(await rulesOf(`if admin ${it} then`)).toEqual(['unicode_bidi']);
    },
  );
});

describe('words that look like others', () => {
  test.each([
    ['Cyrillic in a Latin word', 'log in at pаypal'],
    ['Greek in a Latin word', 'the passwοrd'],
    ['Armenian in a Latin word', 'the tօken'],
    ['a Cyrillic word made of look-alikes', 'use сору here, and copy it there'],
    ['letters in dress', '𝐢𝐠𝐧𝐨𝐫𝐞 it'],
    ['letters of full width outside of Japanese', 'please ｉｇｎｏｒｅ it'],
    ['phonetic letters in a word', 'the pɑssword'],
  ])('words that imitate others are found: %s', async (_, text) => {
    expect(await rulesOf(text)).toEqual(['homoglyph']);
  });

  test.each([
    ['Russian', 'Русский текст про API, сор и рост; в PDFе и на Google-диске'],
    ['Greek', 'Η ομάδα γράφει τον κώδικα στο GitHub'],
    ['Japanese', 'APIキーを使う。Tシャツ、ＡＰＩ'],
    ['Chinese and Korean', '使用API密钥, API키를 사용'],
    ['symbols of mathematics', 'Δt, 5 μs, λx, πr², Ω, αβ-testing'],
    ['accents', 'naïve café Ångström Łódź İstanbul'],
    ['phonetic spelling', 'git /ɡɪt/, read [ɹiːd]'],
    ['a foreign word that cannot be taken for a Latin one', 'The answer was «нет» and then «да».'],
  ])('ordinary text in another alphabet is not reported: %s', async (_, text) => {
    expect(await rulesOf(text)).toEqual([]);
  });
});
