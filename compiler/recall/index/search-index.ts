import { pointsOf, type GraphLibrary, type AnnPort } from '../ann/ann-port.ts';
import { buildAnnGraph, GRAPH_ROWS, type BuiltGraph } from '../ann/build-ann-graph.ts';
import { buildLexical, SCALE, type Fields, type Lexical } from '../signals/lexical.ts';
import { buildLinks, type Links } from '../signals/link-graph.ts';
import type { Encoder, Vectors } from '../signals/semantic.ts';
import {
  FORMAT,
  INDEX_FILES,
  LexicalFile,
  LinksFile,
  packInts,
  readJson,
  RowsFile,
  unpackInts,
  unreadable,
  type ReadFile,
  numbersIn,
  type TermNumbers,
} from './index-file.ts';
import { buildVectors, layVectors, type WrittenVectors } from './vectors.ts';

export { INDEX_FILES } from './index-file.ts';

export type Signal = 'lexical' | 'semantic' | 'graph';

/** A unit as the index takes it in. Links name other units; unknown ones are left out. */
export interface IndexedUnit {
  readonly name: string;
  /** The unit's URI without its version. */
  readonly series: string;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly headings: readonly string[];
  readonly content: string;
  readonly intents: readonly string[];
  readonly keywords: readonly string[];
  readonly task_types: readonly string[];
  readonly links: readonly string[];
}

/** A garden's index in memory; unit numbers follow the order of `names`. */
export interface SearchIndex {
  readonly names: readonly string[];
  /** Names, aliases and URIs without version to unit numbers. */
  readonly named: ReadonlyMap<string, number>;
  readonly lexical: Lexical;
  readonly terms: TermNumbers;
  readonly links: Links;
  readonly vectors: Vectors | null;
  /** Null where a scan of all vectors is quick enough, or there is no graph to be had. */
  readonly nearest: AnnPort | null;
  /** A best score below this is flagged, in millionths. */
  readonly low_confidence: number;
}

/** What has become of a garden's graph of vectors. */
export type GraphFate = 'built' | 'not_needed' | 'no_library' | 'inexact';

/** The values to write for a garden: JSON ones by path, and bytes by path. */
export interface IndexFiles {
  readonly json: ReadonlyMap<string, unknown>;
  readonly binary: ReadonlyMap<string, Buffer>;
  readonly graph: GraphFate;
}

/** Where a graph of vectors is made, and for how many of them. */
export interface GraphMaker {
  /** Null where this machine has no library. */
  readonly library: () => GraphLibrary | null;
  /** How many vectors a garden must have for a graph: GRAPH_ROWS, but for tests. */
  readonly rows?: number;
}

/**
 * Builds the index of a garden, units sorted by name.
 *
 * @param graphs null where no graph of vectors is wanted
 */
export async function buildIndex(
  units: readonly IndexedUnit[],
  encoder: Encoder | null,
  graphs: GraphMaker | null = null,
): Promise<IndexFiles> {
  const { postings, ...lexical } = buildLexical(units.map(fieldsOf));
  const json = new Map<string, unknown>([
    [INDEX_FILES.terms, { format: FORMAT, ...lexical, low_confidence: lowConfidence(encoder) }],
    [INDEX_FILES.links, linksFile(units)],
  ]);
  const binary = new Map([[INDEX_FILES.postings, packInts(postings)]]);
  if (encoder === null) return { json, binary, graph: 'not_needed' };
  const { data, ...vectors } = await buildVectors(units, encoder);
  const { built, fate } = growGraph({ data, ...vectors }, graphs);
  const graph = { graph_rows: graphs?.rows ?? GRAPH_ROWS, graph: built?.pin ?? null };
  json.set(INDEX_FILES.rows, { format: FORMAT, ...vectors, ...graph });
  binary.set(INDEX_FILES.vectors, Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  if (built?.file) binary.set(INDEX_FILES.graph, built.file);
  return { json, binary, graph: fate };
}

/** Without an encoder: below it, some word of the intent may be met by chance. */
const LEXICAL_LOW_CONFIDENCE = 0.05;

/** Whatever a model's scores are like, pinned with the index they are given by. */
function lowConfidence(encoder: Encoder | null): number {
  return Math.round(SCALE * (encoder?.low_confidence ?? LEXICAL_LOW_CONFIDENCE));
}

function linksFile(units: readonly IndexedUnit[]) {
  const numbers = new Map(units.map((unit, u) => [unit.name, u]));
  const edges = units.flatMap((unit, u) =>
    unit.links.flatMap((name) => {
      const target = numbers.get(name);
      return target === undefined ? [] : [[u, target] as const];
    }),
  );
  const { starts, targets } = buildLinks(units.length, edges);
  return {
    format: FORMAT,
    names: units.map((unit) => unit.name),
    series: units.map((unit) => unit.series),
    aliases: units.map((unit) => unit.aliases),
    starts: [...starts],
    targets: [...targets],
  };
}

function fieldsOf(unit: IndexedUnit): Fields {
  return {
    triggers: [...unit.intents, ...unit.keywords].join('\n'),
    description: unit.description,
    heading: [unit.name, ...unit.aliases, ...unit.headings].join('\n'),
    content: unit.content,
    task_types: unit.task_types.join('\n').replaceAll('_', ' '),
  };
}

function growGraph(written: WrittenVectors, graphs: GraphMaker | null): { built: BuiltGraph | null; fate: GraphFate } {
  const { library, rows = GRAPH_ROWS } = graphs ?? { library: () => null, rows: Infinity };
  if (written.data.length < rows * written.dims) return { built: null, fate: 'not_needed' };
  const found = library();
  if (found === null) return { built: null, fate: 'no_library' };
  const built = buildAnnGraph(layVectors(written), found);
  return { built, fate: built.file ? 'built' : 'inexact' };
}

/**
 * Reads an index back from verified files.
 *
 * @param library asked only where there is a graph to open
 */
export function loadIndex(file: ReadFile, library: () => GraphLibrary | null = () => null): SearchIndex {
  const { names, series, aliases, ...links } = readJson(file, INDEX_FILES.links, LinksFile);
  const named = new Map<string, number>(series.map((uri, u) => [uri, u]));
  aliases.forEach((list, u) => {
    for (const alias of list) named.set(alias, u);
  });
  names.forEach((name, u) => named.set(name, u));
  const { low_confidence, ...lexical } = readJson(file, INDEX_FILES.terms, LexicalFile);
  const postings = unpackInts(readBytes(file, INDEX_FILES.postings, 4 * (lexical.starts.at(-1) ?? 0)));
  return {
    names,
    named,
    // typed: a list of numbers takes up to three times as much, and a server has a thousand gardens
    lexical: { ...lexical, idf: Int32Array.from(lexical.idf), starts: Int32Array.from(lexical.starts), postings },
    terms: numbersIn(lexical.terms),
    links: { starts: Int32Array.from(links.starts), targets: Int32Array.from(links.targets) },
    ...loadVectors(file, library),
    low_confidence,
  };
}

function loadVectors(file: ReadFile, library: () => GraphLibrary | null): Pick<SearchIndex, 'vectors' | 'nearest'> {
  if (!file(INDEX_FILES.rows)) return { vectors: null, nearest: null };
  const { graph: pin, ...written } = readJson(file, INDEX_FILES.rows, RowsFile);
  const count = [...written.phrases, ...written.texts].reduce((all, rows) => all + rows, 0);
  const bytes = readBytes(file, INDEX_FILES.vectors, count * written.dims);
  const vectors = layVectors({ ...written, data: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) });
  const bytesOfGraph = file(INDEX_FILES.graph);
  const opener = pin && bytesOfGraph ? library() : null;
  if (!pin || !bytesOfGraph || !opener) return { vectors, nearest: null };
  const points = pointsOf(vectors);
  return { vectors, nearest: { pin, units: points.units, graph: opener.open(bytesOfGraph, points) } };
}

function readBytes(file: ReadFile, path: string, size: number): Buffer {
  const bytes = file(path);
  if (bytes?.length === size) return bytes;
  throw unreadable(path);
}
