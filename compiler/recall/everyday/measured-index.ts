import { buildIndex, INDEX_FILES, type GraphMaker, type IndexedUnit, type IndexFiles } from '../index/search-index.ts';
import { quantise, type Encoder, type Vectors } from '../signals/semantic.ts';
import { measureEveryday, type EverydayPrompt } from './measure-everyday.ts';
import EVERYDAY from './prompts.json' with { type: 'json' };

/**
 * Builds the index of a garden with the threshold of `low_confidence`, and with vectors of the everyday prompts after
 * those of its units.
 */
export async function buildMeasuredIndex(
  units: readonly IndexedUnit[],
  encoder: Encoder | null,
  graphs: GraphMaker | null,
  functionWords: readonly string[] | null,
  prompts: readonly string[] = EVERYDAY,
): Promise<IndexFiles> {
  const { json, binary, graph, scored } = await buildIndex(units, encoder, graphs, functionWords);
  const { rows, low_confidence } = measureEveryday(scored, await encodePrompts(prompts, encoder, scored.vectors));
  const terms = { ...(json.get(INDEX_FILES.terms) as object), low_confidence };
  const vectors = binary.get(INDEX_FILES.vectors);
  if (vectors === undefined) return { json: new Map([...json, [INDEX_FILES.terms, terms]]), binary, graph };
  const counts = { ...(json.get(INDEX_FILES.rows) as object), everyday: rows.length };
  return {
    json: new Map([...json, [INDEX_FILES.terms, terms], [INDEX_FILES.rows, counts]]),
    binary: new Map([
      ...binary,
      [INDEX_FILES.vectors, Buffer.concat([vectors, ...rows.map((row) => Buffer.from(row))])],
    ]),
    graph,
  };
}

async function encodePrompts(
  texts: readonly string[],
  encoder: Encoder | null,
  vectors: Vectors | null,
): Promise<EverydayPrompt[]> {
  const encoded = texts.length > 0 && encoder ? await encoder.encode(texts, 'query') : [];
  return texts.map((text, at) => ({ text, query: vectors && quantise(encoded[at] ?? null, vectors.mean) }));
}
