import { quantise, scoreSemantic, type Vectors } from '../signals/semantic.ts';
import { topK } from '../signals/top-k.ts';
import { pointsOf, type Graph, type GraphLibrary, type GraphPin, type Points } from './ann-port.ts';

/**
 * From this many rows on, a garden gets a graph of its vectors. Below, multiplying all of them takes less time than
 * asking a graph that finds 99 of 100, and scoring what it brings up: 0.3 against 0.7 ms for 20,000 rows, 2.8 against
 * 2.2 ms for 160,000 (test/bench/recall/crossover.bench.ts).
 */
export const GRAPH_ROWS = 150_000;

/** How densely the graph is knit, and how widely each point looks around when it is put in. */
const M = 24;
const EF_CONSTRUCTION = 160;

/** How many points a search may keep in view; the first that finds enough is pinned. */
const BREADTHS = [32, 64, 128, 256, 512];

/** A graph that overlooks more than one in a hundred is of no use. */
const WANTED_RECALL = 0.99;

/** Sample queries that recall is measured by, and how many of the best units each must find. */
const SAMPLES = 200;
const SAMPLE_DEPTH = 10;

/** A graph with its pin; `file` is null where none of the breadths finds enough. */
export interface BuiltGraph {
  readonly pin: GraphPin;
  readonly file: Buffer | null;
}

/** Builds a garden's graph, and measures it against the exhaustive answer. */
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

/** Queries halfway between two rows of different units, with the units that an exhaustive search puts first. */
function samplesOf(vectors: Vectors): Sample[] {
  const { dims, rows, starts } = vectors;
  const random = randomNumbers();
  const unitOf = (row: number) => starts.findIndex((start) => start > row);
  const samples: Sample[] = [];
  // a pair may be of one unit, or cancel out
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

/** Numbers below a bound from a fixed seed (xorshift32): the same samples on any machine. */
function randomNumbers(): (bound: number) => number {
  let state = 0x9e3779b9;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
}
