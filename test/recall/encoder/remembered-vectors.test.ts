import { describe, expect, test } from 'vitest';
import { rememberVectors } from '../../../compiler/recall/encoder/remembered-vectors.ts';
import type { Encoder } from '../../../compiler/recall/signals/semantic.ts';

/** An encoder that notes what it is asked; the vector of a text is its length, and none if it is empty. */
function listening() {
  const asked: string[][] = [];
  const encode: Encoder['encode'] = (texts, role) => {
    asked.push([role, ...texts]);
    return Promise.resolve(texts.map((it) => (it === '' ? null : Float32Array.of(it.length))));
  };
  const { encode: remembering, ...rest } = rememberVectors({ dims: 1, encode });
  return { asked, rest, encode: remembering };
}

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `t${at}`);

describe('an encoder that remembers vectors', () => {
  test('encodes a text once, however often it is asked for, and gives each its vector', async () => {
    const { asked, encode } = listening();
    const vectors = [await encode(['ab', 'c', 'ab'], 'query'), await encode(['c', 'def'], 'query')];
    expect(vectors.map((all) => all.map((it) => it?.[0]))).toEqual([
      [2, 1, 2],
      [1, 3],
    ]);
    expect(asked).toEqual([
      ['query', 'ab', 'c'],
      ['query', 'def'],
    ]);
  });

  test('remembers that a text has no vector, and asks nothing where it knows all', async () => {
    const { asked, encode } = listening();
    expect([await encode([''], 'query'), await encode([''], 'query'), await encode([], 'query')]).toEqual([
      [null],
      [null],
      [],
    ]);
    expect(asked).toEqual([['query', '']]);
  });

  test('encodes a text as a query and as a passage', async () => {
    const { asked, encode } = listening();
    for (const role of ['query', 'passage', 'query'] as const) await encode(['a'], role);
    expect(asked).toEqual([
      ['query', 'a'],
      ['passage', 'a'],
    ]);
  });

  test('remembers four thousand vectors, and with one more forgets all that it knew', async () => {
    const { asked, encode } = listening();
    await encode(numbered(3999), 'query');
    await encode(['last'], 'query');
    await encode(['t0', 't3998', 'last'], 'query');
    expect(asked).toHaveLength(2);
    await encode(['more'], 'query');
    await encode(['more', 't0'], 'query');
    expect(asked.slice(2)).toEqual([
      ['query', 'more'],
      ['query', 't0'],
    ]);
  });

  test('remembers none of more than four thousand texts at once, and gives their vectors', async () => {
    const { asked, encode } = listening();
    expect(await encode(numbered(4001), 'query')).toHaveLength(4001);
    expect((await encode(['t0'], 'query')).map((it) => it?.[0])).toEqual([2]);
    expect(asked.map((it) => it.length - 1)).toEqual([4001, 1]);
  });

  test('is otherwise the encoder that it asks', () => {
    expect(listening().rest).toEqual({ dims: 1 });
  });
});
