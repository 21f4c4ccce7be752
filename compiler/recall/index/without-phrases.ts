import { buildLexical } from '../signals/lexical.ts';
import type { Vectors } from '../signals/semantic.ts';
import { numbersIn } from './index-file.ts';
import { fieldsOf, type IndexedUnit, type SearchIndex } from './search-index.ts';
import { layVectors } from './vectors.ts';

/**
 * The index as if no unit had phrases: the words are counted again, and the rows of phrases are dropped. Nothing is
 * encoded again, and queries stay the same, because the mean of all rows is kept. Queries scan all vectors.
 *
 * @param units the units that the index was built of
 */
export function withoutPhrases(index: SearchIndex, units: readonly IndexedUnit[]): SearchIndex {
  const { functionWords } = index.lexical;
  const built = buildLexical(
    units.map((unit) => fieldsOf({ ...unit, phrases: [] })),
    functionWords,
  );
  const lexical = { ...built, ...(functionWords && { functionWords }) };
  const vectors = index.vectors && withoutRows(index.vectors);
  return { ...index, lexical, terms: numbersIn(lexical.terms), vectors, ann: null };
}

function withoutRows({ dims, mean, starts, phrases, texts, rows }: Vectors): Vectors {
  const kept: number[] = [];
  const all = Int32Array.from({ length: rows.count }, (_, row) => row);
  const triggers = Array.from(texts, (text, unit) => {
    const own = all.subarray(starts[unit], starts[unit + 1]);
    const told = own.length - text - (phrases[unit] ?? 0);
    kept.push(...own.subarray(0, told), ...own.subarray(own.length - text));
    return told;
  });
  const data = new Int8Array(kept.length * dims);
  kept.forEach((row, i) => {
    data.set(rows.data.subarray(row * rows.stride, row * rows.stride + dims), i * dims);
  });
  return layVectors({
    dims,
    mean: Array.from(mean),
    triggers,
    phrases: triggers.map(() => 0),
    texts: [...texts],
    data,
  });
}
