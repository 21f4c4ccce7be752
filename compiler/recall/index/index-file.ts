import { z } from 'zod';
import type { VadeError } from '../../schema/errors.ts';
import { refuse } from '../../schema/refusals.ts';
import { GraphPin } from '../ann/ann-port.ts';
import type { TermNumbers } from '../signals/terms.ts';

/** The version of the files below `index/`; a reader refuses any other. */
export const FORMAT = 2;

/** The paths of an index's files, by content. */
export const INDEX_FILES = {
  terms: 'index/lexical.json',
  postings: 'index/lexical.i32',
  links: 'index/links.json',
  rows: 'index/vectors.json',
  vectors: 'index/vectors.i8',
  graph: 'index/graph.hnsw',
};

// plain loops: a schema for each of ten thousand members would take longer than all else of a start
const Counts = z.custom<number[]>((it) => Array.isArray(it) && it.every((n) => n === n >> 0 && n >= 0));
const Strings = z.custom<string[]>((it) => Array.isArray(it) && it.every((text) => typeof text === 'string'));

export const LexicalFile = z.object({
  format: z.literal(FORMAT),
  terms: Strings,
  idf: Counts,
  unknown_idf: z.int(),
  starts: Counts,
  half: z.int().positive(),
  deductions: Counts,
  /** Below it, the best score is low; nearness to everyday prompts is added. May be negative. */
  low_confidence: z.int(),
  /** Of a garden in another language than English, sorted: a server needs no lists of its own. */
  function_words: Strings.optional(),
});

export const LinksFile = z.object({
  format: z.literal(FORMAT),
  names: Strings,
  series: Strings,
  aliases: z.array(Strings),
  /** Tokens of each unit's name and description, as an answer shows them to choose from. */
  candidate_tokens: z.array(z.int32().positive()),
  starts: Counts,
  targets: Counts,
});

export const RowsFile = z.object({
  format: z.literal(FORMAT),
  dims: z.int().positive(),
  mean: z.array(z.number()),
  triggers: Counts,
  phrases: Counts,
  texts: Counts,
  /** Everyday prompts, whose vectors come after those of the units. */
  everyday: z.int32().nonnegative(),
  /** With fewer rows, queries scan all of them. */
  graph_rows: z.int(),
  /** Null if the garden has no graph. */
  graph: GraphPin.nullable(),
});

/** Reads a file of an index by path; undefined if there is none. */
export type ReadFile = (path: string) => Buffer | undefined;

/** Reads one of the JSON files. @throws bundle_unverified */
export function readJson<T>(file: ReadFile, path: string, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(JSON.parse(file(path)?.toString('utf8') ?? 'null'));
  if (parsed.success) return parsed.data;
  throw unreadable(path);
}

export function unreadable(path: string): VadeError {
  return refuse('format_unknown', `${path} has a format that this version does not read: compile again`);
}

/** Integers as little-endian bytes on every machine. */
export function packInts(values: Int32Array): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((it, i) => bytes.writeInt32LE(it, 4 * i));
  return bytes;
}

export function unpackInts(bytes: Uint8Array): Int32Array {
  const values = new Int32Array(bytes.length >> 2);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let i = 0; i < values.length; i++) values[i] = view.getInt32(4 * i, true);
  return values;
}

/**
 * Looks terms up by binary search in the sorted list: a map would need as much memory as the rest of the index, and a
 * server may have a thousand of them.
 */
export function numbersIn(terms: readonly string[]): TermNumbers {
  if (terms.some((term, t) => t > 0 && term <= (terms[t - 1] ?? ''))) throw unreadable(INDEX_FILES.terms);
  const get = (term: string) => {
    let from = 0;
    let to = terms.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((terms[middle] ?? '') < term) from = middle + 1;
      else to = middle;
    }
    return terms[from] === term ? from : undefined;
  };
  return { get };
}
