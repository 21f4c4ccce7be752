import { quantise, scoreSemantic, type Vectors } from '../signals/semantic.ts';
import { topK } from '../signals/top-k.ts';
import { pointsOf, type GraphLibrary, type GraphPin, type Points } from './ann-port.ts';
import { graphRows } from './graph-rows.ts';

/** Twice as many links are no quicker at the same recall, and half as many need a search of twice the breadth. */
export const SHAPE = { m: 16, ef_construction: 200 } as const;

/** Candidate search breadths; the first with sufficient recall is pinned. */
const BREADTHS = [32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024];

/** A graph with a lower recall answers no query. */
const WANTED_RECALL = 0.99;

/** Sample queries for the measured recall: one a row, at most so many; and how many best units each must find. */
const MAX_SAMPLES = 200;
/** The same for a garden that is too small for its graph to answer any query. */
const FEW_SAMPLES = 20;
const LEAST_ROWS = graphRows({ ef: Math.min(...BREADTHS) });
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
 *
 * @param rows from how many vectors on a graph may answer
 */
export function buildAnnGraph(vectors: Vectors, library: GraphLibrary, rows = LEAST_ROWS): BuiltGraph | null {
  const points = pointsOf(vectors);
  if (points.count === 0) return null;
  const file = library.build(points, SHAPE);
  const graph = library.open(file, points, SHAPE);
  const samples = samplesOf(vectors, vectors.rows.count < rows ? FEW_SAMPLES : MAX_SAMPLES);
  const { ef, recall } = smallestBreadth(points.count, (breadth, least) =>
    recallOf(samples, points, (query) => graph.search(query, breadth), least),
  );
  graph.close();
  return { pin: { points: points.count, ...SHAPE, ef, recall, queries: samples.length }, file };
}

/**
 * The first breadth with sufficient recall; if there is none, the last one. A search finds no more than all points.
 *
 * @param recallAt measures a breadth; what is below `least` may be measured in part
 */
function smallestBreadth(count: number, recallAt: (breadth: number, least: number) => number) {
  const last = BREADTHS.find((it) => it >= count) ?? BREADTHS.at(-1);
  for (const ef of BREADTHS) {
    const recall = recallAt(ef, ef === last ? 0 : WANTED_RECALL);
    if (recall >= WANTED_RECALL || ef === last) return { ef, recall };
  }
  return { ef: 1, recall: 0 };
}

interface Sample {
  readonly query: Int8Array;
  readonly wanted: readonly number[];
}

/**
 * Queries between two rows, nearer to the first one, with the best units of the exhaustive scan. Questions of people
 * that a garden answers are easier to find for a graph: in 18,000 vectors of CLINC150 they need half the breadth.
 */
function samplesOf(vectors: Vectors, most: number): Sample[] {
  const { dims, rows } = vectors;
  const random = randomNumbers();
  const samples: Sample[] = [];
  const wanted = Math.min(rows.count, most);
  // more tries than samples, because a pair may cancel out
  for (let tries = 0; samples.length < wanted && tries < 4 * wanted; tries++) {
    const a = random(rows.count);
    const b = random(rows.count);
    const sum = new Float32Array(dims);
    for (let d = 0; d < dims; d++) {
      sum[d] = 2 * (rows.data[a * rows.stride + d] ?? 0) + (rows.data[b * rows.stride + d] ?? 0);
    }
    const query = quantise(sum, []);
    if (query === null) continue;
    samples.push({ query, wanted: topK(scoreSemantic(vectors, query), SAMPLE_DEPTH) });
  }
  return samples;
}

/**
 * The share of the best units that a search finds; a lower one than `least` as soon as it is certain.
 *
 * @param samples left in an order in which those that missed units come first: the next breadth misses there too
 */
function recallOf(
  samples: Sample[],
  { units }: Points,
  search: (query: Int8Array) => readonly number[],
  least: number,
): number {
  const wanted = samples.reduce((all, sample) => all + sample.wanted.length, 0);
  let missed = 0;
  let missing = 0;
  for (const [at, sample] of samples.entries()) {
    const found = new Set(search(sample.query).map((point) => units[point]));
    const lost = sample.wanted.filter((unit) => !found.has(unit)).length;
    if (lost === 0) continue;
    missed += lost;
    [samples[at], samples[missing]] = [samples[missing] ?? sample, sample];
    missing += 1;
    if (wanted - missed < least * wanted) break;
  }
  return wanted === 0 ? 0 : (wanted - missed) / wanted;
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
