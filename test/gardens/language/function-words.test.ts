import { describe, expect, test } from 'vitest';
import { functionWordsOf } from '../../../compiler/gardens/language/function-words.ts';
import { scoreLexical } from '../../../compiler/recall/signals/lexical.ts';
import { words } from '../../../compiler/recall/signals/words.ts';
import { Language, LANGUAGES } from '../../../compiler/schema/source/language.ts';
import { plant } from '../../recall/garden.ts';

/** English lists none with its gardens; these are of those that no text is matched by. */
const ENGLISH = 'a about am the who us it can will what your'.split(' ');

const withoutMarks = (word: string) => word.normalize('NFD').replace(/\p{M}/gu, '');
const POINTS: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Arabic}/u, '\u064E'],
  [/\p{Script=Hebrew}/u, '\u05B8'],
];
const withOtherMark = (word: string) => {
  const [, mark = '\u0301'] = POINTS.find(([script]) => script.test(word)) ?? [];
  return withoutMarks(word).replace(/\p{L}/u, `$&${mark}`);
};

/** A word as people may write it. */
const SPELLINGS: readonly ((word: string) => string)[] = [
  (word) => word,
  withoutMarks,
  withOtherMark,
  (word) => word.replace(/^./u, (letter) => letter.toUpperCase()),
  (word) => word.toUpperCase(),
];

/** In these scripts a word without its marks is the same word. */
const ACCENTED = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{M}]+$/u;

/** A word as it is matched; hiragana alone has no words. */
const matched = (text: string) => words(text).join(' ') || text;

/** A garden in which each word is the one trigger of a unit; words that are matched as the same have one unit. */
async function gardenOf(triggers: readonly string[], listed: readonly string[] | null) {
  const units = new Map(triggers.map((it) => [matched(it), it]));
  const planted = [...units.values()].map((it, at) => ({ name: `u${at}`, description: 'zebra quagga', intents: [it] }));
  const { index } = await plant(planted, null, listed);
  const numbers = new Map([...units.keys()].map((it, at) => [it, index.named.get(`u${at}`) ?? -1]));
  return (query: string) => {
    const scores = scoreLexical(index.lexical, index.terms, query, index.names.length);
    const own = scores[numbers.get(matched(query)) ?? -1] ?? 0;
    return own > 0 && scores.every((it) => it <= own);
  };
}

describe('a function word that is the one word of a trigger', () => {
  test.each(Language.options)('finds its unit however it is written: %s', async (language) => {
    const listed = await functionWordsOf(language);
    const entries = listed ?? ENGLISH;
    const lost: string[] = [];
    for (const [at, spell] of SPELLINGS.entries()) {
      const finds = await gardenOf(entries.map(spell), listed);
      for (const word of entries) {
        const asked = ACCENTED.test(word) ? SPELLINGS : [spell];
        lost.push(
          ...asked.map((of) => of(word)).flatMap((it) => (finds(it) ? [] : [`${LANGUAGES[language]} ${at} ${it}`])),
        );
      }
    }
    expect(lost).toEqual([]);
  });
});

describe('a word that differs from a function word by its accents', () => {
  test.each<[Language, readonly string[]]>([
    ['de', ['Ware', 'Größe', 'Güte']],
    ['fr', ['dû', 'sûr', 'là']],
    ['vi', ['cửa', 'lá']],
    ['es', ['té', 'cómo']],
    ['sv', ['hår', 'mån', 'år']],
    ['cs', ['byt', 'mit']],
    ['tr', ['kirk', 'bır']],
    ['pl', ['tą', 'cos']],
  ])('counts beside others: %s', async (language, nouns) => {
    const listed = await functionWordsOf(language);
    for (const noun of nouns) {
      expect(listed).not.toContain(noun.toLowerCase());
      const units = ['farbe', noun].map((it, at) => ({ name: `u${at}`, description: 'x', intents: [`zz ${it} yy`] }));
      const { index } = await plant(units, null, listed);
      const [other = 0, own = 0] = scoreLexical(index.lexical, index.terms, `qq ${noun} ww`, 2);
      expect([noun, own > other]).toEqual([noun, true]);
    }
  });
});
