import { describe, expect, test } from 'vitest';
import { betterTexts, indexTexts } from '../../../compiler/quality/unit-coverage/texts.ts';
import type { Encoder } from '../../../compiler/recall/signals/semantic.ts';
import { plant } from '../../recall/garden.ts';

const PLANTED = [
  {
    name: 'backups',
    description: 'Restore lost data',
    content: '# Disaster\n\nBring copies back.\n',
    intents: ['zebra'],
  },
  {
    name: 'hiring',
    description: 'Onboard an engineer',
    content: 'Laptop first.\n',
    keywords: ['zebra'],
    links: ['backups'],
  },
  { name: 'travel', description: 'Book trains', content: 'Second class.\n' },
];

describe('§21.8.3: the texts of a garden alone', () => {
  const texts = async (encoder: Encoder | null = null, isServed: (name: string) => boolean = () => true) =>
    indexTexts(await plant(PLANTED), encoder, isServed);

  test('a unit is found by its description, its headings and its content, and not by its triggers and links', async () => {
    const { index, score } = await texts();
    expect(index.names).toEqual(['backups', 'hiring', 'travel']);
    const found = (intent: string) => [...score(intent, null)].map((it) => it > 0);
    expect(found('lost')).toEqual([true, false, false]);
    expect(found('laptop')).toEqual([false, true, false]);
    expect(found('zebra')).toEqual([false, false, false]);
  });

  test('the words of a heading count for more than those of the text', async () => {
    const content = { heading: '# outage\n\nsay who\n', text: 'outage\n\nsay who\n' };
    const units = Object.entries(content).map(([name, it]) => ({ name, description: 'x', content: it }));
    const { score } = await indexTexts(await plant(units), null, () => true);
    const [heading = 0, text = 0] = score('outage', null);
    expect(heading).toBeGreaterThan(text);
  });

  test('only units in force compete', async () => {
    const { index, score } = await texts(null, (name) => name !== 'hiring');
    expect(index.names).toEqual(['backups', 'travel']);
    expect(score('laptop', null)).toEqual(new Int32Array(2));
  });

  test('with an encoder a unit is found by the meaning of its text', async () => {
    const encode: Encoder['encode'] = (all) =>
      Promise.resolve(all.map((text) => (text.includes('trains') ? Float32Array.of(1, 0) : Float32Array.of(0, 1))));
    const { score } = await texts({ dims: 2, encode });
    const [backups = 0, , travel = 0] = score('railway', Float32Array.of(1, 0));
    expect(travel).toBeGreaterThan(backups);
    expect(score('railway', null)).toEqual(new Int32Array(3));
  });
});

describe('the texts that answer better than a unit’s own', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const better = async (total: number[], unit: string, depth = 3) => {
    const texts = await indexTexts(await plant(names.map((name) => ({ name }))), null, () => true);
    return betterTexts(texts, Int32Array.from(total), unit, depth);
  };

  test.each([
    ['are named best first, equal ones by name', [5, 9, 1, 7, 7], 'c', { names: ['b', 'd', 'e'], count: 4 }],
    ['are counted beyond those that are named', [5, 4, 3, 2, 1], 'e', { names: ['a', 'b', 'c'], count: 4 }],
    ['do not include equal ones', [5, 5, 5, 6, 5], 'a', { names: ['d'], count: 1 }],
    ['are none for the best', [5, 4, 3, 2, 1], 'a', { names: [], count: 0 }],
    ['are all with a score, for a unit that is not indexed', [0, 0, 2, 0, 1], 'x', { names: ['c', 'e'], count: 2 }],
    [
      'are all with a score, for a unit that is not indexed, wherever they are',
      [0, 2, 0, 0, 1],
      'x',
      { names: ['b', 'e'], count: 2 },
    ],
  ])('%s', async (_, total, unit, expected) => {
    expect(await better(total, unit)).toEqual(expected);
  });
});
