import { quantise, scoreSemantic, type Vectors } from '../signals/semantic.ts';
import { topK } from '../signals/top-k.ts';
import { pointsOf, type Graph, type GraphLibrary, type GraphPin, type Points } from './ann-port.ts';

/** Twice as many links are no quicker at the same recall, and half as many need a search of twice the breadth. */
export const SHAPE = { m: 16, ef_construction: 200 } as const;

/** Candidate search breadths; the first with sufficient recall is pinned. */
const BREADTHS = [32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024];

/** A graph with a lower recall answers no query. */
const WANTED_RECALL = 0.99;

/** Sample queries for the measured recall: one a row, at most so many; and how many of the best units each must find. */
const MAX_SAMPLES = 200;
const SAMPLE_DEPTH = 10;

/** A graph's file with its pin. */
export interface BuiltGraph {
  readonly pin: GraphPin;
  readonly file: Buffer;
}

/** Whether a search of the graph finds enough. */
export function isExact({ recall }: GraphPin): boolean {
  return recall >= WANTED_RECALL;
}

/**
 * Builds the graph of a garden, and measures its recall against the exhaustive scan, as a server will open it. Null if
 * no text of the garden has a vector.
 */
export function buildAnnGraph(vectors: Vectors, library: GraphLibrary): BuiltGraph | null {
  const points = pointsOf(vectors);
  if (points.count === 0) return null;
  const file = library.build(points, SHAPE);
  const graph = library.open(file, points, SHAPE);
  const samples = samplesOf(vectors);
  const { ef, recall } = smallestBreadth(points.count, (breadth) => recallOf(samples, points, graph, breadth));
  graph.close();
  return { pin: { points: points.count, ...SHAPE, ef, recall, queries: samples.length }, file };
}

/** The first breadth with sufficient recall; if there is none, the last one. A search finds no more than all points. */
function smallestBreadth(count: number, recallAt: (breadth: number) => number): { ef: number; recall: number } {
  let measured = { ef: 1, recall: 0 };
  for (const ef of BREADTHS) {
    measured = { ef, recall: recallAt(ef) };
    if (measured.recall >= WANTED_RECALL || ef >= count) break;
  }
  return measured;
}

interface Sample {
  readonly query: Int8Array;
  readonly wanted: readonly number[];
}

/**
 * Queries between two rows, nearer to the first one, with the best units of the exhaustive scan. Questions of people that
 * a garden answers are easier to find for a graph: in 18,000 vectors of CLINC150 they need half the breadth.
 */
function samplesOf(vectors: Vectors): Sample[] {
  const { dims, rows } = vectors;
  const random = randomNumbers();
  const samples: Sample[] = [];
  const wanted = Math.min(rows.count, MAX_SAMPLES);
  // more tries than samples, because a pair may cancel out
  for (let tries = 0; samples.length < wanted && tries < 4 * wanted; tries++) {
    const a = random(rows.count);
    const b = random(rows.count);
    const at = (row: number, d: number) => rows.data[row * rows.stride + d] ?? 0;
    const sum = Float32Array.from({ length: dims }, (_, d) => 2 * at(a, d) + at(b, d));
    const query = quantise(sum, []);
    if (query === null) continue;
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
