import { test } from 'vitest';
import { pointsOf } from '../../../compiler/recall/ann/ann-port.ts';
import { buildAnnGraph } from '../../../compiler/recall/ann/build-ann-graph.ts';
import { hnswLibrary } from '../../../compiler/recall/ann/hnsw.ts';
import { buildVectors, layVectors } from '../../../compiler/recall/index/vectors.ts';
import { quantise, scoreSemantic, scoreSemanticOf, type Vectors } from '../../../compiler/recall/signals/semantic.ts';
import { wordEncoder } from '../../support/words.ts';
import { spread } from '../measure.ts';
import { randomNumbers } from './random.ts';
import { printTable } from './table.ts';

const MINUTE = 60_000;
const ROWS_A_UNIT = 5;
const QUERIES = 300;

/** Sizes of the gardens to measure, in vectors, from VADE_ROWS; GRAPH_ROWS in compiler/recall/ann/build-ann-graph.ts follows from it. */
const ROWS = (process.env['VADE_ROWS'] ?? '20000,160000').split(',').map(Number);

const encoder = wordEncoder();

/** Four hundred subjects with sixty words each; two of three words of a text are its subject's. */
function writer(): (subject: number, length: number) => string {
  const random = randomNumbers('crossover');
  const below = (bound: number) => Math.floor(random() * bound);
  return (subject, length) =>
    Array.from({ length }, () => (below(3) > 0 ? `s${subject}w${below(60)}` : `w${below(3000)}`)).join(' ');
}

async function vectorsOf(rows: number, write: ReturnType<typeof writer>): Promise<Vectors> {
  const units = Array.from({ length: rows / ROWS_A_UNIT }, (_, u) => {
    const [subject, rest] = [(u * 7) % 400, { headings: [], keywords: [] }];
    const intents = [write(subject, 6), write(subject, 6), `${write(subject, 5)} n${u}`];
    return { ...rest, intents, description: write(subject, 8), content: write(subject, 60) };
  });
  return layVectors(await buildVectors(units, encoder));
}

/** Median milliseconds that one way takes to score what may come. */
function median(queries: readonly Int8Array[], ask: (query: Int8Array) => void): string {
  const times = queries.map((query) => {
    const start = performance.now();
    ask(query);
    return performance.now() - start;
  });
  return spread(times).median.toFixed(3);
}

test.runIf(hnswLibrary())(
  'from how many vectors on a graph is quicker than scanning all of them',
  async () => {
    const lines: (string | number)[][] = [];
    for (const rows of ROWS) {
      const write = writer();
      const vectors = await vectorsOf(rows, write);
      const texts = Array.from({ length: QUERIES }, (_, i) => write(i, 8));
      const encoded = await encoder.encode(texts, 'query');
      const queries = encoded.flatMap((vector) => quantise(vector, vectors.mean) ?? []);
      const scan = median(queries, (query) => scoreSemantic(vectors, query));
      const library = hnswLibrary()!;
      const start = performance.now();
      const { pin, file } = buildAnnGraph(vectors, library);
      const built = ((performance.now() - start) / 1000).toFixed(1);
      const { units } = pointsOf(vectors);
      const graph = file && library.open(file, pointsOf(vectors));
      const scores = new Int32Array(rows / ROWS_A_UNIT);
      const search = graph
        ? median(queries, (query) => {
            const near = new Set(graph.search(query, pin.ef).map((point) => units[point]!));
            scoreSemanticOf(vectors, query, near, scores);
          })
        : 'too inexact';
      lines.push([rows, scan, search, pin.ef, pin.recall.toFixed(4), built]);
    }
    printTable(
      'All vectors, or a graph of them with what it finds scored again, in milliseconds',
      ['vectors', 'all', 'graph', 'breadth', 'recall', 'built, s'],
      lines,
    );
  },
  30 * MINUTE,
);
