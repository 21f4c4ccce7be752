import { quantise, scoreSemantic, type Vectors } from '../signals/semantic.ts';
import { topK } from '../signals/top-k.ts';
import { pointsOf, type Graph, type GraphLibrary, type GraphPin, type Points } from './ann-port.ts';

/**
 * A garden with at least this many rows gets an ANN graph. With fewer rows, an exhaustive scan is faster than a search
 * that finds 99 of 100 units, with the scoring of its candidates: 0.3 against 0.7 ms for 20,000 rows, 2.8 against 2.2 ms
 * for 160,000 (test/bench/recall/crossover.bench.ts).
 */
export const GRAPH_ROWS = 150_000;

/** Links per point, and the breadth of the search when a point is added. */
const M = 24;
const EF_CONSTRUCTION = 160;

/** Candidate search breadths; the first with sufficient recall is pinned. */
const BREADTHS = [32, 64, 128, 256, 512];

/** A graph with a lower recall is not used. */
const WANTED_RECALL = 0.99;

/** The number of sample queries for the measured recall, and how many of the best units each must find. */
const SAMPLES = 200;
const SAMPLE_DEPTH = 10;

/** A graph with its pin; `file` is null if no breadth gives sufficient recall. */
export interface BuiltGraph {
  readonly pin: GraphPin;
  readonly file: Buffer | null;
}

/** Builds a garden's graph, and measures its recall against the exhaustive scan. */
export function buildAnnGraph(vectors: Vectors, library: GraphLibrary): BuiltGraph {
  const points = pointsOf(vectors);
  const { graph, file } = library.build(points, M, EF_CONSTRUCTION);
  const samples = samplesOf(vectors);
  const measured = BREADTHS.map((ef) => ({ ef, recall: recallOf(samples, points, graph, ef) }));
  const { ef, recall } = measured.find((it) => it.recall >= WANTED_RECALL) ?? measured.at(-1) ?? { ef: 0, recall: 0 };
  const pin = { points: points.count, m: M, ef_construction: EF_CONSTRUCTION, ef, recall, queries: samples.length };
  return { pin, file: recall >= WANTED_RECALL ? file : null };
}

interface Sample {
  readonly query: Int8Array;
  readonly wanted: readonly number[];
}

/** Queries halfway between two rows of different units, with the best units of the exhaustive scan. */
function samplesOf(vectors: Vectors): Sample[] {
  const { dims, rows, starts } = vectors;
  const random = randomNumbers();
  const unitOf = (row: number) => starts.findIndex((start) => start > row);
  const samples: Sample[] = [];
  // more tries than samples, because a pair may belong to one unit or cancel out
  for (let tries = 0; samples.length < SAMPLES && tries < 4 * SAMPLES; tries++) {
    const a = random(rows.count);
    const b = random(rows.count);
    const at = (row: number, d: number) => rows.data[row * rows.stride + d] ?? 0;
    const sum = Float32Array.from({ length: dims }, (_, d) => at(a, d) + at(b, d));
    const query = quantise(sum, []);
    if (query === null || unitOf(a) === unitOf(b)) continue;
    samples.push({ query, wanted: topK(scoreSemantic(vectors, query), SAMPLE_DEPTH) });
  }
  return samples;
}

function recallOf(samples: readonly Sample[], points: Points, graph: Graph, breadth: number): number {
  let found = 0;
  let wanted = 0;
  for (const sample of samples) {
    const units = new Set(graph.search(sample.query, breadth).map((point) => points.units[point]));
    found += sample.wanted.filter((unit) => units.has(unit)).length;
    wanted += sample.wanted.length;
  }
  return wanted === 0 ? 0 : found / wanted;
}

/** Pseudo-random numbers below a bound from a fixed seed (xorshift32): the same samples on every machine. */
function randomNumbers(): (bound: number) => number {
  let state = 0x9e3779b9;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
}
