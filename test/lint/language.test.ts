import { describe, expect, test } from 'vitest';
import { findOtherLanguage } from '../../compiler/lint/language.ts';
import type { Language } from '../../compiler/schema/source/language.ts';
import type { Unit } from '../../compiler/schema/source/unit.ts';
import { Delivery } from '../../compiler/schema/source/unit.ts';
import { CHINESE, GERMAN, JAPANESE } from '../gardens/language/spoken-handbooks.ts';
import type { Planted } from '../recall/garden.ts';

const FILE = 'instructions/org.yaml';

const toUnit = ({ name, description = '', intents = [], content = '' }: Planted) =>
  ({
    name,
    file: `instructions/agents/cto/${name}.md`,
    content,
    delivery: Delivery.parse({ description, load_triggers: { intents: [...intents] } }),
    at: () => ({ line: 2, column: 1 }),
  }) as unknown as Unit;

const ENGLISH: Planted[] = [
  { name: 'leave', description: 'How to ask for a day off', content: 'Write to your lead, and wait for the answer.' },
  {
    name: 'cafe',
    description: 'When the café is open',
    content: 'It is open from nine until the last guest has left.',
  },
];

const told = (language: Language, units: readonly Planted[]) =>
  findOtherLanguage(language, units.map(toUnit), FILE).map(
    ({ rule, file }) => `${rule} ${file.split('/').at(-1) ?? ''}`,
  );

describe('lint says where a text is in another language than the handbook declares', () => {
  test.each<[string, Language, readonly Planted[]]>([
    ['English', 'en', ENGLISH],
    ['Chinese', 'zh', CHINESE.units],
    ['Japanese', 'ja', JAPANESE.units],
    ['German', 'de', GERMAN.units],
    ['Chinese with English units', 'zh', [...CHINESE.units, ...ENGLISH]],
    ['units without words', 'en', [{ name: 'empty', description: '—' }]],
    [
      'an English unit with foreign code',
      'en',
      [{ ...ENGLISH[0]!, content: '```\n判断数据类型的工具函数和方法\n```\nUse the tool.' }],
    ],
  ])('nothing of a handbook in %s that says so', (_, language, units) => {
    expect(told(language, units)).toEqual([]);
  });

  test.each<[string, Language, readonly Planted[]]>([
    ['Chinese', 'en', CHINESE.units],
    ['Japanese', 'en', JAPANESE.units],
    ['Chinese', 'de', CHINESE.units],
    ['Chinese', 'ru', CHINESE.units],
  ])('each unit of a handbook in %s that declares %s', (_, language, units) => {
    expect(told(language, units)).toEqual(units.map(({ name }) => `language_differs ${name}.md`));
  });

  test('units in Latin letters by their small words, so a text with hardly any may go untold', () => {
    const found = told('en', GERMAN.units);
    expect(found).toContain('language_differs urlaub.md');
    expect(found.length).toBeGreaterThanOrEqual(7);
  });

  test('once, a handbook that is all in English and declares another language', () => {
    expect(told('zh', ENGLISH)).toEqual(['language_differs org.yaml']);
  });
});
