import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldCase, foldLetters, plainText } from '../../compiler/schema/fold-letters.ts';
import { anyCharacter } from '../support/any-character.ts';

const spelled = (text: string) => foldCase(plainText(text));
const folded = (text: string) => foldLetters(spelled(text));

describe('the same word in another spelling', () => {
  test.each([
    ['accents and case', ['Größe', 'GRÖSSE', 'grösse', 'grosse'], 'grosse'],
    ['the German ß in both cases', ['Straße', 'STRAẞE', 'STRASSE', 'strasse'], 'strasse'],
    ['the Turkish i with and without a dot', ['ısıtıcı', 'ISITICI', 'Isıtıcı', 'İSİTİCİ'], 'isitici'],
    ['the Greek final sigma', ['λόγος', 'λογοσ', 'ΛΟΓΟΣ'], 'λογοσ'],
    ['letters that Unicode does not decompose', ['œuvre', 'Œuvre', 'oeuvre'], 'oeuvre'],
    ['a stroke', ['Łódź', 'łódź', 'Lodz'], 'lodz'],
    ['the Vietnamese đ', ['Đà Nẵng', 'đà nẵng', 'Da Nang'], 'da nang'],
    ['the two commas of Romanian', ['ședință', 'şedinţă', 'SEDINTA'], 'sedinta'],
    ['ё and a stress mark in Russian', ['Счётъ', 'счетъ', 'сче́тъ'], 'счетъ'],
    ['Arabic points, lengthening, and the usual endings', ['فَاتُورَة', 'فاتـــورة', 'فاتوره'], 'فاتوره'],
    ['Arabic alef and ya', ['إلى', 'الي', 'الى'], 'الي'],
    ['Hebrew points', ['שָׁלוֹם', 'שלום'], 'שלום'],
    ['a soft hyphen, and a mark of direction', ['Straßen\u00ADsperrung', 'Strassensperrung\u200E'], 'strassensperrung'],
    ['a joiner in an Indic word', ['क्\u200Dष', 'क्ष'], 'क्ष'],
    ['digits', ['٤٠٤', '۴۰۴', '४०४', '４０４'], '404'],
    ['the Ukrainian apostrophe as a letter', ['обʼєкт', "об'єкт"], "об'єкт"],
  ])('has the same letters: %s', (_, texts, expected) => {
    expect(texts.map(folded)).toEqual(texts.map(() => expected));
  });

  test.each([
    ['कैमरा', 'कमरा'],
    ['বিল', 'বল'],
    ['பால்', 'பல்'],
    ['ကား', 'က'],
    ['ป่า', 'ปา'],
    ['ガス', 'カス'],
  ])('is none where a mark is a vowel, a tone or part of a letter: %s, %s', (one, other) => {
    expect(folded(one)).not.toBe(folded(other));
  });

  test('a zero-width non-joiner separates words in Arabic letters alone, and a zero-width space everywhere', () => {
    expect(folded('می\u200Cخواهم')).toBe('مي\u200Cخواهم');
    expect(folded('Auf\u200Clage')).toBe('auflage');
    expect(folded('ab\u200Bcd')).toBe('ab\u200Bcd');
  });
});

describe('a word as it is spelled', () => {
  test.each([
    ['Wäre', 'WÄRE', 'Ware'],
    ['cửa', 'CỬA', 'của'],
    ['år', 'ÅR', 'ar'],
    ['dû', 'DÛ', 'du'],
  ])('is the same in capitals, and another one with other accents: %s, %s, %s', (word, capitals, other) => {
    expect(spelled(capitals)).toBe(spelled(word));
    expect(spelled(other)).not.toBe(spelled(word));
  });

  test('has no Greek accents, which capitals do not have, and no points', () => {
    expect(['από', 'ΑΠΌ', 'ΑΠΟ'].map(spelled)).toEqual(['απο', 'απο', 'απο']);
    expect(spelled('هَذَا')).toBe(spelled('هذا'));
  });
});

test('a text and its canonical equivalents have the same letters, at most twice as many', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (text) => {
      expect(folded(text.normalize('NFD'))).toBe(folded(text.normalize('NFC')));
      expect(foldLetters(folded(text)).length).toBeLessThanOrEqual(2 * text.normalize('NFKD').toLowerCase().length);
    }),
  );
});
