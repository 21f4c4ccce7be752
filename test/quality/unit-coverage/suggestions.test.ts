import { describe, expect, test } from 'vitest';
import { createSuggest } from '../../../compiler/quality/unit-coverage/suggestions.ts';
import { plant } from '../../recall/garden.ts';

// Each of these words is in as many texts as its place says.
const others = [
  { name: 'b', content: 'common usual\n' },
  ...['c', 'd', 'e', 'f', 'g', 'h'].map((name) => ({ name, content: 'usual\n' })),
];

/** The words proposed for a unit of this text. */
async function suggested(description: string, content: string, intents: readonly string[] = [], name = 'a') {
  const garden = await plant([{ name, content: `rare common usual ${content}\n` }, ...others]);
  return createSuggest(garden)({ name, intents, description });
}

describe('§21.8.3: words that would help a unit', () => {
  test('words of the content that few units have come first', async () => {
    expect(await suggested('', '')).toEqual(['rare', 'common', 'usual']);
  });

  test('a word of the description counts twice', async () => {
    expect(await suggested('common', '')).toEqual(['common', 'rare', 'usual']);
    expect(await suggested('unheard common', '')).toEqual(['unheard', 'common', 'rare', 'usual']);
  });

  test('words with equal weight are in alphabetical order, eight at most', async () => {
    const words = 'kilo juliet india hotel golf foxtrot echo delta bravo'.split(' ');
    const sorted = [...words].sort();
    for (const said of [words, sorted, [...sorted.slice(4), ...words.slice(5)]]) {
      expect(await suggested(said.join(' '), '')).toEqual(sorted.slice(0, 8));
    }
  });

  test('the words that the triggers have in another form, stop words, short words and frames are left out', async () => {
    expect(await suggested('restoring the disks of it by an ox', '', ['restore disk'])).toEqual([
      'rare',
      'common',
      'usual',
    ]);
    expect(await suggested('what should somebody do about flights', '')).toContain('flights');
    expect(await suggested('what should I do', '', ['rare common usual'])).toEqual([]);
  });

  test('code, numbers and the words of the unit’s own name are never proposed', async () => {
    const text = 'do `kubectl` 2024 v2; the desk is zulu\n\n```sh\nterraform apply\n```';
    expect(await suggested('', text, ['rare common usual'], 'front-desk')).toEqual(['zulu']);
  });

  test('in another language words are proposed as they are spelled, without its function words', async () => {
    const german = await plant([{ name: 'a', content: 'Dann die Ware zählen.\n' }, ...others], null, ['dann', 'die']);
    expect(createSuggest(german)({ name: 'a', intents: ['Ware'], description: '' })).toEqual(['zählen']);
    const hindi = await plant([{ name: 'a', content: 'कैमरा बदलें\n' }, ...others], null, []);
    expect(createSuggest(hindi)({ name: 'a', intents: ['कमरा'], description: '' })).toEqual(['कैमरा', 'बदलें']);
  });

  test('half a contraction is never proposed', async () => {
    const text = "the zulu hasn’t come, DOESN'T yankee";
    expect(await suggested(text, text, ['rare common usual come'])).toEqual(['yankee', 'zulu']);
  });

  test('a pair of neighbouring words of a trigger keeps no single word out', async () => {
    expect(await suggested('zulu', '', ['alpha bravo'])).toContain('zulu');
    expect(await suggested('alpha zulu', '', ['bravo'])).toEqual(expect.arrayContaining(['alpha', 'zulu']));
  });
});
