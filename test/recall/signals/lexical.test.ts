import { describe, expect, test } from 'vitest';
import {
  buildLexical,
  CONSTANTS,
  countTriggers,
  impactWith,
  scoreLexical,
  terms,
  words,
  type Fields,
} from '../../../compiler/recall/signals/lexical.ts';
import { ENGLISH_WORDS, functionWordsFrom, isPhrase, queryTerms } from '../../../compiler/recall/signals/terms.ts';

const NOTHING: Fields = { triggers: '', phrases: '', description: '', heading: '', content: '', task_types: '' };

describe('DESIGN §6.7 the words of a text', () => {
  test.each([
    ['Log in, log-out; 2nd time!', ['log', 'in', 'log', 'out', '2nd', 'time']],
    ['tab\there\r\nand there', ['tab', 'here', 'and', 'there']],
    ['Größe des CAFÉS', ['grosse', 'des', 'cafes']],
    ['ﬁne ２nd', ['fine', '2nd']],
    ['如何 请假', ['如何', '请假']],
    ['C, C#, C++ and F#: g++', ['c', 'c#', 'c++', 'and', 'f#', 'g++']],
    ['Größe in C# und C++', ['grosse', 'in', 'c#', 'und', 'c++']],
    ['issue #42, a.md#top, 1+1, x++y', ['issue', '42', 'a', 'md', 'top', '1', '1', 'x', 'y']],
    ['— … !', []],
    ['?!', []],
    ['', []],
  ])('the words of %j are %j', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  test.each<[string, boolean, string[]]>([
    ['reviewing the reviews', false, ['review', 'review']],
    ['how long to log in', false, ['how', 'long', 'log']],
    ['how long to log in', true, ['how', 'long', 'log', 'how long', 'long to', 'to log', 'log in']],
    ['one\ntwo three', true, ['on', 'two', 'three', 'two three']],
    ['the of', false, []],
    ['the of', true, ['the', 'of', 'the of']],
    ['the of\nthe red', true, ['the', 'of', 'the of', 'red', 'the red']],
    ['', true, []],
  ])(
    'the terms of %j, as phrases %s, are stems without stop words, and pairs of a line',
    (text, asPhrases, expected) => {
      expect(terms(text, asPhrases)).toEqual(expected);
    },
  );
});

describe('the function words of a garden', () => {
  const listed = functionWordsFrom(['der', 'wäre', '什', '么']);

  test.each([
    ['der apfel', ['apfel']],
    ['什么时候', ['么时', '时候']],
    ['Die Ware wäre da, WÄRE sie', ['die', 'ware', 'da', 'sie']],
    ['was the apfel', ['wa', 'the', 'apfel']],
  ])('the terms of %j are without words that are listed, and without pairs of listed characters', (text, expected) => {
    expect(terms(text, false, listed)).toEqual(expected);
  });

  test('a phrase that has no other word keeps them, also in English and in hiragana alone', () => {
    expect(terms('der', true, listed)).toEqual(['der']);
    expect(terms('什么', true, listed)).toEqual(['什么']);
    expect(terms('Who', true)).toEqual(['who']);
    expect(terms('ごみ', true)).toEqual(['ごみ']);
    expect(terms('ごみ PR', true)).toEqual(['pr']);
  });
});

describe('what is asked and what triggers say', () => {
  const german = functionWordsFrom(['der', 'für', 'wäre']);
  const garden = (...known: string[]) => new Map(known.map((it, at) => [it, at]));
  const wordsOf = (text: string, ...known: string[]) =>
    [...queryTerms(text, german, garden(...known))].filter((it) => !isPhrase(it));

  test('an intent has each of its terms once, without the function words of the garden that is asked', () => {
    const termsOf = (text: string, listed: readonly string[]) => [
      ...queryTerms(text, functionWordsFrom(listed), garden()),
    ];
    expect([...queryTerms('the red apple, the red', ENGLISH_WORDS, garden())]).toEqual([
      ...['red', 'appl', 'the red', 'red appl', 'appl the'],
    ]);
    expect(termsOf('der apfel', ['der'])).toEqual(['apfel', 'der apfel']);
    expect(termsOf('das apfel', ['der'])).toEqual(['da', 'apfel', 'da apfel']);
    expect(termsOf('das apfel', ['das'])).toEqual(['apfel', 'da apfel']);
  });

  test('in another language an English function word, or one without its accents, counts if a unit has it', () => {
    expect(wordsOf('what is der apfel fur')).toEqual(['apfel']);
    expect(wordsOf('what is der apfel fur', 'wa', 'what')).toEqual(['apfel', 'what']);
    expect(wordsOf('ware und wäre', 'ware')).toEqual(['und', 'ware']);
  });

  test('an intent of function words alone keeps all of them', () => {
    expect(wordsOf('der')).toEqual(['der']);
    expect(wordsOf('what is der')).toEqual(['what', 'is', 'der']);
    expect(wordsOf('what is der', 'what')).toEqual(['what']);
    expect([...queryTerms('The\nWho', ENGLISH_WORDS, garden())]).toEqual(['the', 'who']);
    expect([...queryTerms('The\nred', ENGLISH_WORDS, garden())]).toEqual(['red']);
  });

  test('the terms of the last intent are kept; where they depend on the garden, for that garden', () => {
    const one = garden('is');
    expect(queryTerms('red apple', german, one)).toBe(queryTerms('red apple', german, garden()));
    expect(queryTerms('is it red', german, one)).toBe(queryTerms('is it red', german, one));
    expect([...queryTerms('is it red', german, one)]).toEqual(['red', 'is', 'is it', 'it red']);
    expect([...queryTerms('is it red', german, garden())]).toEqual(['red', 'is it', 'it red']);
  });

  test('triggers are counted by their terms, with pairs of words of one trigger', () => {
    const { terms: counted, length } = countTriggers(['red apple', 'red der']);
    expect([[...counted], length]).toEqual([
      [
        ['red', 2],
        ['appl', 1],
        ['red appl', 1],
        ['der', 1],
        ['red der', 1],
      ],
      6,
    ]);
    expect([...countTriggers(['red der'], { functionWords: german }).terms.keys()]).toEqual(['red', 'red der']);
  });
});

describe('DESIGN §6.7 the lexical signal', () => {
  const units: Fields[] = [
    { ...NOTHING, triggers: 'red apple\nred', heading: 'apples', content: 'red tree' },
    { ...NOTHING, description: 'green tree', heading: 'trees', task_types: 'on call' },
  ];
  const lexical = buildLexical(units);
  const score = (intent: string) =>
    scoreLexical(lexical, new Map(lexical.terms.map((term, at) => [term, at])), intent, units.length);

  // BM25F with the constants below, worked out by hand
  test('the impact of a word in a unit depends on its rarity, its fields and their lengths', () => {
    expect(lexical).toEqual({
      terms: ['appl', 'call', 'green', 'green tree', 'red', 'red appl', 'tree'],
      idf: [693147, 693147, 693147, 693147, 693147, 693147, 182322],
      unknown_idf: 1791759,
      starts: [0, 2, 4, 6, 8, 10, 12, 16],
      postings: Int32Array.from([
        ...[0, 444325, 1, 203867, 1, 288811, 1, 288811],
        ...[0, 488132, 0, 338120, 0, 58814, 1, 110756],
      ]),
      half: 24_000_000,
      deductions: [0, 0],
    });
  });

  test('a lexical score is the sum of impacts over itself and 24 nats, with each word once', () => {
    expect(score('red tree zzz')).toEqual(Int32Array.of(22281, 4593));
    expect(score('red red')).toEqual(Int32Array.of(Math.floor((488132 * 1e6) / (488132 + 24e6)), 0));
    expect(score('apples')).toEqual(Int32Array.of(Math.floor((444325 * 1e6) / (444325 + 24e6)), 0));
    expect(score('zzz')).toEqual(Int32Array.of(0, 0));
    expect(score('the')).toEqual(Int32Array.of(0, 0));
  });

  test.each<[keyof Fields, boolean]>([
    ['triggers', true],
    ['phrases', true],
    ['description', true],
    ['heading', true],
    ['content', false],
    ['task_types', false],
  ])('a pair of neighbouring words of %s is a term: %s', (field, isTerm) => {
    expect(buildLexical([{ ...NOTHING, [field]: 'red apple' }]).terms.includes('red appl')).toBe(isTerm);
  });

  test('a garden without units has no words and no scores', () => {
    const empty = buildLexical([]);
    expect(empty).toMatchObject({ terms: [], idf: [], starts: [0], postings: new Int32Array() });
    expect(scoreLexical(empty, new Map(), 'red', 0)).toEqual(new Int32Array());
  });

  test.each([
    ['a word less often', 'red apple\nblue'],
    ['a word more often', 'red apple\nred red red'],
    ['none of its words', 'blue sky\nsea sand wind'],
  ])('the impact of a word on a unit whose triggers have %s is that of an index with them', (_, other) => {
    const indexOf = (triggers: string) => {
      // the length of the other unit keeps the average at eight
      const filler = Array.from({ length: 16 - countTriggers([triggers]).length }, (__, at) => `w${at}`).join('\n');
      return buildLexical([
        { ...NOTHING, triggers, content: 'red' },
        { ...NOTHING, triggers: filler },
      ]);
    };
    const of = ({ terms: all, idf, starts, postings }: ReturnType<typeof buildLexical>) => {
      const at = all.indexOf('red');
      return { idf: idf[at]!, impact: postings[starts[at]! + 1]! };
    };
    const before = 'red apple\nred';
    const counts = { indexed: countTriggers([before]), other: countTriggers([other]) };
    const { impact } = of(indexOf(other));
    expect(Math.abs(impactWith('red', of(indexOf(before)), counts, 8) - impact)).toBeLessThan(5);
  });

  test('the lexical constants are those of the design', () => {
    expect(CONSTANTS).toEqual({
      k1: 1.2,
      b: 0.75,
      fields: { triggers: 2, phrases: 1.5, description: 1.5, heading: 1, content: 1, task_types: 0.5 },
      half: 24,
      deduction: { share: 0.014, most: 120 },
    });
  });
});
