import { describe, expect, test } from 'vitest';
import { buildIndex, loadIndex, type SearchIndex } from '../../../compiler/recall/index/search-index.ts';
import { withoutPhrases } from '../../../compiler/recall/index/without-phrases.ts';
import { scoreUnits } from '../../../compiler/recall/rank/rank.ts';
import type { Encoder } from '../../../compiler/recall/signals/semantic.ts';
import { canonicalBytes } from '../../../compiler/trust/canonical.ts';
import { indexed, type Planted } from '../garden.ts';

/** A text's direction follows from its letters; `void` has none, so that a row is missing. */
const encode: Encoder['encode'] = (texts) =>
  Promise.resolve(
    texts.map((text) =>
      text === 'void' ? null : Float32Array.from(['a', 'e', 'o'], (it) => 1 + text.split(it).length),
    ),
  );

async function indexOf(
  units: readonly Planted[],
  functionWords: readonly string[] | null = null,
): Promise<SearchIndex> {
  const { json, binary } = await buildIndex(units.map(indexed), { dims: 3, encode }, null, functionWords);
  const files = new Map([...[...json].map(([path, it]) => [path, canonicalBytes(it)] as const), ...binary]);
  return loadIndex((path) => files.get(path));
}

const UNITS: readonly Planted[] = [
  { name: 'bears', description: 'Bears eat', intents: ['feed a bear'], phrases: ['a furry one', 'void', 'see zoo'] },
  { name: 'trains', description: 'Trains go', phrases: ['oo'], content: 'On rails.' },
  { name: 'zoo', description: 'Open hours', intents: ['visit', 'void'] },
];

describe('an index as if no unit had phrases', () => {
  test('an index without its phrases scores every unit as the index of units that have none', async () => {
    const index = withoutPhrases(await indexOf(UNITS), UNITS.map(indexed));
    const plain = await indexOf(UNITS.map((it) => ({ ...it, phrases: [] })));
    const { starts, phrases, texts, discounts, rows } = plain.vectors!;
    expect(index.vectors).toMatchObject({ starts, phrases, texts, discounts });
    expect(index.vectors!.rows.data).toEqual(rows.data);
    const query = Int8Array.of(90, 60, 65);
    for (const intent of ['furry', 'feed a bear', 'open rails'])
      expect(scoreUnits(index, intent, query)).toEqual(scoreUnits(plain, intent, query));
  });

  test('an index without its phrases leaves out the same function words', async () => {
    const index = await indexOf(UNITS, ['feed', 'go']);
    const { lexical } = withoutPhrases(index, UNITS.map(indexed));
    expect(lexical.functionWords?.listed).toEqual(new Set(['feed', 'go']));
    expect([lexical.terms.includes('bear'), lexical.terms.includes('feed')]).toEqual([true, false]);
    expect(withoutPhrases(await indexOf(UNITS), UNITS.map(indexed)).lexical).not.toHaveProperty('functionWords');
  });
});
