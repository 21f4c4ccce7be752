import { describe, expect, test } from 'vitest';
import { INDEX_FILES } from '../../../compiler/recall/index/index-file.ts';
import { buildIndex, loadIndex } from '../../../compiler/recall/index/search-index.ts';
import { scoreLexical } from '../../../compiler/recall/signals/lexical.ts';
import type { Encoder } from '../../../compiler/recall/signals/semantic.ts';
import { canonicalBytes } from '../../../compiler/trust/canonical.ts';
import { indexed, type Planted } from '../garden.ts';

async function filesOf(units: readonly Planted[], encoder: Encoder | null): Promise<Map<string, Buffer>> {
  const { json, binary } = await buildIndex(units.map(indexed), encoder);
  return new Map([...[...json].map(([path, it]) => [path, canonicalBytes(it)] as const), ...binary]);
}

describe('phrases in an index', () => {
  test('an index has a vector of each phrase after the title, and its long text stays without them', async () => {
    const asked: string[][] = [];
    const encode: Encoder['encode'] = (texts) => {
      asked.push([...texts]);
      return Promise.resolve(texts.map((it) => (it === 'void' ? null : Float32Array.of(3, 4))));
    };
    const zoo = {
      name: 'zoo',
      description: 'Bears',
      intents: ['visit'],
      phrases: ['see it', 'void'],
      content: 'Open.',
    };
    const files = await filesOf([zoo], { dims: 2, encode });
    expect(asked).toEqual([['visit', 'Bears', 'see it', 'void', 'Bears. visit. Open.']]);
    const rows = JSON.parse(files.get(INDEX_FILES.rows)!.toString()) as object;
    expect(rows).toMatchObject({ triggers: [2], phrases: [1], texts: [1] });
    const { vectors } = loadIndex((path) => files.get(path));
    expect(vectors).toMatchObject({ starts: Int32Array.of(0, 4), phrases: Uint8Array.of(1) });
    expect(vectors?.discounts).toEqual(Uint16Array.of(236));
  });

  test('the words of phrases are in an index, and a unit is found by them', async () => {
    const files = await filesOf([{ name: 'bears', phrases: ['a furry visitor'] }, { name: 'trains' }], null);
    const index = loadIndex((path) => files.get(path));
    const [bears = 0, trains] = scoreLexical(index.lexical, index.terms, 'furry visitor', 2);
    expect([bears > 0, trains]).toEqual([true, 0]);
  });
});
