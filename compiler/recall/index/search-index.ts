import type { KeptResults } from '../../schema/kept-results.ts';
import { pointsOf, type AnnPort, type GraphLibrary, type GraphPin } from '../ann/ann-port.ts';
import { buildAnnGraph, isExact, type BuiltGraph } from '../ann/build-ann-graph.ts';
import { graphRows } from '../ann/graph-rows.ts';
import { buildLexical, deductionsOf, type Fields, type Lexical } from '../signals/lexical.ts';
import { buildLinks, type Links } from '../signals/link-graph.ts';
import type { Encoder, Vectors } from '../signals/semantic.ts';
import { functionWordsFrom, type TermNumbers } from '../signals/terms.ts';
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
} from './index-file.ts';
import { keptGraph } from './kept-graph.ts';
import { buildVectors, layVectors, type WrittenVectors } from './vectors.ts';

export { INDEX_FILES } from './index-file.ts';

export type Signal = 'lexical' | 'semantic' | 'graph';

/** A unit as input of the index. Links name other units; unknown names are ignored. */
export interface IndexedUnit {
  readonly name: string;
  /** The unit's URI without its version. */
  readonly series: string;
  readonly aliases: readonly string[];
  readonly description: string;
  /** Tokens of its name and description as `candidateText` shows them. */
  readonly candidate_tokens: number;
  readonly headings: readonly string[];
  readonly content: string;
  readonly intents: readonly string[];
  readonly keywords: readonly string[];
  readonly task_types: readonly string[];
  /** Sentences that agents may say when they need it, in words that its author did not use. */
  readonly phrases: readonly string[];
  readonly links: readonly string[];
}

/** The part of an index that scores depend on; unit numbers follow the order of `names`. */
export interface ScoredIndex {
  readonly names: readonly string[];
  readonly lexical: Lexical;
  readonly terms: TermNumbers;
  readonly links: Links;
  readonly vectors: Vectors | null;
}

/** A garden's index in memory. */
export interface SearchIndex extends ScoredIndex {
  /** Unit numbers by name, alias and URI without version. */
  readonly named: ReadonlyMap<string, number>;
  /** By unit: the tokens that its naming as a candidate costs. A server has no tokenizer. */
  readonly candidateTokens: Int32Array;
  /** Null if queries scan all vectors. */
  readonly ann: AnnPort | null;
  /** Whether they scan because the library for the graph is missing. */
  readonly lacks_library: boolean;
  /** A best score below this is low, once nearness to everyday prompts is added; in millionths. */
  readonly low_confidence: number;
}

/** The files of a garden's index: JSON values and bytes, by path. */
export interface IndexFiles {
  readonly json: ReadonlyMap<string, unknown>;
  readonly binary: ReadonlyMap<string, Buffer>;
  /** The pinned graph of the vectors, and whether it finds enough to answer; null if there is none. */
  readonly graph: { readonly pin: GraphPin; readonly isExact: boolean } | null;
}

/** The library that builds graphs. */
export interface GraphMaker {
  /** Null if gardens get no graph. */
  readonly library: () => GraphLibrary | null;
  /** From how many vectors on queries use the graph; only tests choose it. */
  readonly rows?: number;
  /** Graphs of earlier runs. */
  readonly kept?: KeptResults | null;
}

/** A garden's index as files, and its part that scores depend on. */
export interface BuiltIndex extends IndexFiles {
  readonly scored: ScoredIndex;
}

/**
 * Builds the index of a garden, units sorted by name. Its `low_confidence` is zero: a garden that serves has one that
 * was measured (`everyday`).
 *
 * @param graphs null if no graph is wanted
 * @param functionWords of the garden's language, as they are spelled in lower case, sorted; null in English
 */
export async function buildIndex(
  units: readonly IndexedUnit[],
  encoder: Encoder | null,
  graphs: GraphMaker | null = null,
  functionWords: readonly string[] | null = null,
): Promise<BuiltIndex> {
  const words = functionWords === null ? undefined : functionWordsFrom(functionWords);
  const deductions = deductionsOf(units.map((it) => ({ own: it.intents.length + 1, phrases: it.phrases.length })));
  const lexical = buildLexical(units.map(fieldsOf), words, deductions);
  const written = encoder && (await buildVectors(units, encoder));
  const vectors = written && layVectors(written);
  const scored: ScoredIndex = {
    names: units.map((unit) => unit.name),
    lexical: { ...lexical, ...(words && { functionWords: words }) },
    terms: numbersIn(lexical.terms),
    links: linksOf(units),
    vectors,
  };
  const { postings, ...terms } = lexical;
  const left = functionWords === null ? {} : { function_words: functionWords };
  const json = new Map<string, unknown>([
    [INDEX_FILES.terms, { format: FORMAT, ...terms, ...left, low_confidence: 0 }],
    [INDEX_FILES.links, linksFile(units, scored.links)],
  ]);
  const binary = new Map([[INDEX_FILES.postings, packInts(postings)]]);
  if (written === null || vectors === null) return { json, binary, graph: null, scored };
  const { data, ...counts } = written;
  const built = buildGraph(written, vectors, graphs);
  const pin = built?.pin ?? null;
  const rows = { format: FORMAT, ...counts, everyday: 0, graph_rows: graphs?.rows ?? graphRows(pin), graph: pin };
  json.set(INDEX_FILES.rows, rows);
  binary.set(INDEX_FILES.vectors, Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  if (built) binary.set(INDEX_FILES.graph, built.file);
  return { json, binary, graph: pin && { pin, isExact: isExact(pin) }, scored };
}

function linksOf(units: readonly IndexedUnit[]): Links {
  const numbers = new Map(units.map((unit, u) => [unit.name, u]));
  const edges = units.flatMap((unit, u) =>
    unit.links.flatMap((name) => {
      const target = numbers.get(name);
      return target === undefined ? [] : [[u, target] as const];
    }),
  );
  return buildLinks(units.length, edges);
}

function linksFile(units: readonly IndexedUnit[], { starts, targets }: Links) {
  return {
    format: FORMAT,
    names: units.map((unit) => unit.name),
    series: units.map((unit) => unit.series),
    aliases: units.map((unit) => unit.aliases),
    candidate_tokens: units.map((unit) => unit.candidate_tokens),
    starts: [...starts],
    targets: [...targets],
  };
}

/** The texts of a unit by field. */
export function fieldsOf(unit: IndexedUnit): Fields {
  return {
    triggers: [...unit.intents, ...unit.keywords].join('\n'),
    phrases: unit.phrases.join('\n'),
    description: unit.description,
    heading: [unit.name, ...unit.aliases, ...unit.headings].join('\n'),
    content: unit.content,
    task_types: unit.task_types.join('\n'),
  };
}

function buildGraph(written: WrittenVectors, vectors: Vectors, graphs: GraphMaker | null): BuiltGraph | null {
  const library = graphs?.library() ?? null;
  return library && keptGraph(written, graphs?.kept ?? null, () => buildAnnGraph(vectors, library, graphs?.rows));
}

/**
 * Reads an index back from verified files.
 *
 * @param library called only if queries use the graph
 */
export function loadIndex(file: ReadFile, library: () => GraphLibrary | null = () => null): SearchIndex {
  const { names, series, aliases, candidate_tokens, ...links } = readJson(file, INDEX_FILES.links, LinksFile);
  if (candidate_tokens.length !== names.length) throw unreadable(INDEX_FILES.links);
  const named = new Map<string, number>(series.map((uri, u) => [uri, u]));
  aliases.forEach((list, u) => {
    for (const alias of list) named.set(alias, u);
  });
  names.forEach((name, u) => named.set(name, u));
  const { low_confidence, function_words, ...lexical } = readJson(file, INDEX_FILES.terms, LexicalFile);
  const words = function_words && { functionWords: functionWordsFrom(function_words) };
  const postings = unpackInts(readBytes(file, INDEX_FILES.postings, 4 * (lexical.starts.at(-1) ?? 0)));
  return {
    names,
    named,
    candidateTokens: Int32Array.from(candidate_tokens),
    // typed arrays: plain ones need up to three times the memory, and a server may have a thousand gardens
    lexical: {
      ...lexical,
      idf: Int32Array.from(lexical.idf),
      starts: Int32Array.from(lexical.starts),
      deductions: Int32Array.from(lexical.deductions),
      postings,
      ...words,
    },
    terms: numbersIn(lexical.terms),
    links: { starts: Int32Array.from(links.starts), targets: Int32Array.from(links.targets) },
    ...loadVectors(file, library),
    low_confidence,
  };
}

function loadVectors(
  file: ReadFile,
  library: () => GraphLibrary | null,
): Pick<SearchIndex, 'vectors' | 'ann' | 'lacks_library'> {
  if (!file(INDEX_FILES.rows)) return { vectors: null, ann: null, lacks_library: false };
  const { graph: pin, graph_rows, ...written } = readJson(file, INDEX_FILES.rows, RowsFile);
  const count = [...written.triggers, ...written.phrases, ...written.texts].reduce((all, rows) => all + rows, 0);
  const bytes = readBytes(file, INDEX_FILES.vectors, (count + written.everyday) * written.dims);
  const vectors = layVectors({ ...written, data: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) });
  if (pin === null || count < graph_rows || !isExact(pin)) return { vectors, ann: null, lacks_library: false };
  const opener = library();
  return { vectors, ann: opener && openGraph(file, opener, vectors, pin), lacks_library: opener === null };
}

function openGraph(file: ReadFile, library: GraphLibrary, vectors: Vectors, pin: GraphPin): AnnPort {
  const bytes = file(INDEX_FILES.graph);
  const points = pointsOf(vectors);
  if (!bytes || points.count !== pin.points) throw unreadable(INDEX_FILES.graph);
  return { pin, units: points.units, graph: library.open(bytes, points, pin) };
}

function readBytes(file: ReadFile, path: string, size: number): Buffer {
  const bytes = file(path);
  if (bytes?.length === size) return bytes;
  throw unreadable(path);
}
