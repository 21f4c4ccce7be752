import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { terms, words } from '../../../compiler/recall/signals/lexical.ts';
import { anyCharacter } from '../../support/any-character.ts';

const ascii = fc.string({ unit: 'binary-ascii', maxLength: 200 });
const spaceless = fc.string({ unit: fc.constantFrom(...Array.from('数据类型判断エラをのはกขาິກ្ခမ')), maxLength: 200 });
const mixed = fc
  .array(fc.oneof(ascii, spaceless, fc.string({ unit: anyCharacter })), { maxLength: 5 })
  .map((it) => it.join(''));

describe('DESIGN §6.7 scripts without spaces are matched by pairs of characters', () => {
  test.each([
    ['Han', '分支怎么命名', ['分支', '支怎', '怎么', '么命', '命名']],
    ['Han and hiragana, whose own pairs are left out', '書いたものを消す', ['書い', 'を消', '消す']],
    ['katakana with its long vowel', 'エラー', ['エラ', 'ラー']],
    ['half-width katakana', 'ﾃﾞｰﾀ', ['デー', 'ータ']],
    ['a voiced letter, which is not the plain one', 'ガス', ['ガス']],
    ['a character that stands alone', '第1章', ['第', '1', '章']],
    ['Thai, with tones on their letters', 'ป่วย', ['ป่ว', 'วย']],
    ['Khmer', 'ភាសា', ['ភាសា']],
    ['Burmese', 'မြန်မာ', ['မြန်', 'န်မာ']],
    ['a Latin word among them', '提交PR之前', ['提交', 'pr', '之前']],
    ['full-width Latin letters', 'ＡＢＣ', ['abc']],
    ['a sentence with its marks', '是。否、', ['是', '否']],
    ['Hangul, which has spaces', '휴가 신청', ['휴가', '신청'].map((it) => it.normalize('NFKD'))],
  ])('%s', (_, text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  test('a pair is a phrase already, so pairs are not paired again', () => {
    expect(terms('新建分支 new branch', true)).toEqual(['新建', '建分', '分支', 'new', 'branch', 'new branch']);
  });

  test('an ASCII text without signs of names (C#, C++) has the words that it had', () => {
    fc.assert(
      fc.property(ascii, (given) => {
        const text = given.replace(/[#+]/g, ' ');
        expect(words(text)).toEqual(text.toLowerCase().match(/[a-z0-9]+/g) ?? []);
      }),
    );
  });

  test('any text has at most as many words as characters, and all of them together are at most twice as long', () => {
    fc.assert(
      fc.property(mixed, (text) => {
        const found = words(text);
        const plain = text.normalize('NFKD');
        expect(found.length).toBeLessThanOrEqual(plain.length);
        expect(found.join('').normalize('NFKD').length).toBeLessThanOrEqual(2 * plain.toLowerCase().length);
      }),
    );
  });

  test('the same text in another normal form has the same words', () => {
    fc.assert(
      fc.property(mixed, (text) => {
        expect(words(text.normalize('NFD'))).toEqual(words(text.normalize('NFC')));
      }),
    );
  });
});
