import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { pointsOf } from '../../../compiler/recall/ann/ann-port.ts';
import { buildAnnGraph } from '../../../compiler/recall/ann/build-ann-graph.ts';
import { graphRows } from '../../../compiler/recall/ann/graph-rows.ts';
import { hnswLibrary } from '../../../compiler/recall/ann/hnsw.ts';
import { buildVectors, layVectors } from '../../../compiler/recall/index/vectors.ts';
import { quantise, scoreSemantic, scoreSemanticOf, type Vectors } from '../../../compiler/recall/signals/semantic.ts';
import { topK } from '../../../compiler/recall/signals/top-k.ts';
import { wordEncoder } from '../../support/words.ts';
import { spread, time } from '../measure.ts';
import { measuredEncoder } from './encoder.ts';
import { randomNumbers } from './random.ts';
import { printTable } from './table.ts';

const MINUTE = 60_000;
const ROWS_A_UNIT = 5;
/** Sentences of a content, from VADE_SENTENCES: 80 have some windows, and 250 all eight. */
const SENTENCES = Number(process.env['VADE_SENTENCES'] ?? '8');
const QUERIES = 300;
const DEPTH = 10;
/** Sizes of the gardens to measure, in vectors, from VADE_ROWS; compiler/recall/ann/graph-rows.ts follows from them. */
const ROWS = (process.env['VADE_ROWS'] ?? '100,500,2000,10000,20000,40000,100000,200000').split(',').map(Number);

const DOMAIN = 'compiler/encoder/domain';
const FRAMES = readFileSync(`${DOMAIN}/frames.yaml`, 'utf8').match(/(?<=- ['"]?)[^'"\n]*\{\w+\}[^'"\n]*/g) ?? [];
const WORDS = [...new Set(readFileSync(`${DOMAIN}/groups.yaml`, 'utf8').match(/[a-z]{4,}/g))];

const loaded = await measuredEncoder();
const encoder = loaded?.encoder ?? wordEncoder();

/** Writes sentences about three words: frames of everyday requests, filled with them. */
function writer(): (words: readonly string[], sentences: number) => string {
  const random = randomNumbers('crossover');
  const one = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
  return (words, sentences) =>
    Array.from({ length: sentences }, () => one(FRAMES).replaceAll(/\{\w+\}/g, () => one(words))).join('. ');
}

/** Three words that no other unit has together. */
const wordsOf = (unit: number) =>
  [unit, 7 * unit + Math.floor(unit / WORDS.length), 31 * unit + 5].map((at) => WORDS[at % WORDS.length] ?? '');

async function vectorsOf(rows: number, write: ReturnType<typeof writer>): Promise<Vectors> {
  const units = Array.from({ length: rows / ROWS_A_UNIT }, (_, u) => {
    const [words, rest] = [wordsOf(u), { headings: [], keywords: [], phrases: [] }];
    const intents = [write(words, 1), write(words, 1), write(words, 1)];
    return { ...rest, intents, description: write(words, 1), content: write(words, SENTENCES) };
  });
  return layVectors(await buildVectors(units, encoder));
}

/** Median milliseconds for each of some ways to answer a query, in turns, so that a busy machine slows all of them. */
async function medians(queries: readonly Int8Array[], ways: readonly ((query: Int8Array) => unknown)[]) {
  const times = ways.map((): number[] => []);
  for (const query of [...queries.slice(0, QUERIES / 10), ...queries]) {
    for (const [at, ask] of ways.entries()) times[at]?.push(await time(() => ask(query)));
  }
  return times.map((it) => spread(it.slice(QUERIES / 10)).median);
}

/** One size of gardens: both searches, and what the graph costs. */
async function measure(rows: number) {
  const library = hnswLibrary()!;
  const write = writer();
  const vectors = await vectorsOf(rows, write);
  const texts = Array.from({ length: QUERIES }, (_, i) => write(wordsOf(i * 17), 1));
  const queries = (await encoder.encode(texts, 'query')).flatMap((vector) => quantise(vector, vectors.mean) ?? []);
  const start = performance.now();
  const { pin, file } = buildAnnGraph(vectors, library, 0)!;
  const built = performance.now() - start;
  const points = pointsOf(vectors);
  const graph = library.open(file, points, pin);
  const near = (query: Int8Array) => new Set(graph.search(query, pin.ef).map((point) => points.units[point]!));
  const scores = new Int32Array(vectors.starts.length - 1);
  const [scan = 0, search = 0] = await medians(queries, [
    (query) => scoreSemantic(vectors, query),
    (query) => {
      scoreSemanticOf(vectors, query, near(query), scores);
    },
  ]);
  const found = queries.map((query) => {
    const units = near(query);
    const best = topK(scoreSemantic(vectors, query), DEPTH);
    return best.filter((unit) => units.has(unit)).length / best.length;
  });
  const recall = found.reduce((all, share) => all + share, 0) / found.length;
  const count = vectors.rows.count;
  return [
    ...[count, scan.toFixed(3), search.toFixed(3), (scan / search).toFixed(2), pin.ef, pin.recall.toFixed(4)],
    ...[recall.toFixed(4), count >= graphRows(pin) && pin.recall >= 0.99 ? 'graph' : 'scan'],
    ...[(file.length / count).toFixed(0), (built / count).toFixed(3)],
  ];
}

test.runIf(hnswLibrary())(
  'from how many vectors on a graph is quicker than scanning all of them',
  async () => {
    const lines: (string | number)[][] = [];
    for (const rows of ROWS) lines.push(await measure(rows));
    const head = ['vectors', 'scan, ms', 'graph, ms', 'ratio', 'ef', 'recall', 'asked', 'used', 'bytes', 'built, ms'];
    printTable('All vectors, or a graph of them with what it finds scored again; bytes and ms a vector', head, lines, [
      '`recall` is the pinned one, of queries between two vectors; `asked` is that of this benchmark’s queries.',
    ]);
  },
  60 * MINUTE,
);
