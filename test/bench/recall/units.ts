import { buildMeasuredIndex } from '../../../compiler/recall/everyday/measured-index.ts';
import {
  loadIndex,
  type IndexedUnit,
  type IndexFiles,
  type SearchIndex,
} from '../../../compiler/recall/index/search-index.ts';
import type { Encoder } from '../../../compiler/recall/signals/semantic.ts';
import { canonicalBytes } from '../../../compiler/trust/canonical.ts';

/** A unit's texts, without links and aliases. */
export type Texts = Pick<IndexedUnit, 'name' | 'description' | 'intents' | 'content'> &
  Partial<Pick<IndexedUnit, 'headings' | 'phrases'>>;

/** The unit as an index takes it in. */
export function toUnit(texts: Texts): IndexedUnit {
  return {
    headings: [],
    phrases: [],
    ...texts,
    series: `instruction:bench/agent/bench/${texts.name}`,
    aliases: [],
    candidate_tokens: 1,
    keywords: [],
    task_types: [],
    links: [],
  };
}

/** Reads an index back from the bytes it would be written as. */
export function readBack({ json, binary }: IndexFiles): SearchIndex {
  const files = new Map([...[...json].map(([path, value]) => [path, canonicalBytes(value)] as const), ...binary]);
  return loadIndex((path) => files.get(path));
}

/** Builds an index as a compile does, and reads it back as a server does. */
export async function indexOf(
  units: readonly IndexedUnit[],
  encoder: Encoder | null,
  functionWords: readonly string[] | null = null,
): Promise<SearchIndex> {
  return readBack(await buildMeasuredIndex(units, encoder, null, functionWords));
}
