import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildMeasuredIndex } from '../../../compiler/recall/everyday/measured-index.ts';
import type { IndexFiles } from '../../../compiler/recall/index/search-index.ts';
import { readyGarden, type RecallGarden } from '../../../compiler/recall/recall-garden.ts';
import { recall } from '../../../compiler/recall/recall.ts';
import { quantise, type Encoder } from '../../../compiler/recall/signals/semantic.ts';
import { RecallRequest } from '../../../compiler/schema/api/recall.ts';
import { canonicalBytes } from '../../../compiler/trust/canonical.ts';
import { NOW, plant } from '../../recall/garden.ts';
import { wordEncoder } from '../../support/words.ts';
import { spread, time, type Spread } from '../measure.ts';
import { randomNumbers } from './random.ts';
import { readBack, toUnit, type Texts } from './units.ts';

/** A garden to measure: its number of units, and of the phrases and sentences that each has. */
export interface Shape {
  readonly units: number;
  readonly phrases: number;
  readonly sentences: number;
}

/** Cost of one garden; durations in milliseconds. */
export interface Cost {
  readonly built: number;
  /** Of all files of the index. */
  readonly bytes: number;
  readonly loaded: number;
  readonly recall: Spread;
  /** The part of a recall that turns the intent into a vector. */
  readonly encoding: Spread;
}

const WARM_UP = 100;
const MEASURED = 500;

/** Sizes of the gardens to measure, from VADE_SIZES. */
export const SIZES = (process.env['VADE_SIZES'] ?? '1000,20000').split(',').map(Number);

/** Usual units without phrases and with them, and units of 3,000 tokens, which have all windows that an index takes. */
export const SHAPES: readonly Omit<Shape, 'units'>[] = [
  { phrases: 0, sentences: 8 },
  { phrases: 8, sentences: 8 },
  { phrases: 0, sentences: 180 },
];

/** Whether words with drawn vectors stand in for a model that is not there: for speed alone, they mean nothing. */
const STAND_IN = process.env['VADE_STAND_IN'] === '1';

/** Builds a garden in memory, and asks it. */
export async function measure({ units: size, ...shape }: Shape, model: Encoder | null): Promise<Cost> {
  const encoder = model ?? (STAND_IN ? wordEncoder(frequencies()) : null);
  const write = writer(`garden of ${size}`);
  const texts = Array.from({ length: size }, (_, u) => textsOf(u, shape, write));
  const units = texts.map((it, u) => ({ ...toUnit(it), links: linksOf(u).map(nameOf) }));
  let files = await buildMeasuredIndex(units.slice(0, 50), encoder, null, null);
  const built = await time(async () => {
    files = await buildMeasuredIndex(units, encoder, null, null);
  });
  const start = performance.now();
  const index = readBack(files);
  const loaded = performance.now() - start;
  const { facts, fallbacks } = await plant(texts);
  return { built, bytes: bytesOf(files), loaded, ...(await ask(readyGarden(index, facts, fallbacks), encoder, write)) };
}

function bytesOf({ json, binary }: IndexFiles): number {
  const sizes = [...[...json.values()].map(canonicalBytes), ...binary.values()].map(({ length }) => length);
  return sizes.reduce((all, it) => all + it, 0);
}

async function ask(garden: RecallGarden, encoder: Encoder | null, write: (length: number) => string) {
  const encoding: number[] = [];
  const whole: number[] = [];
  for (let i = 0; i < WARM_UP + MEASURED; i++) {
    const request = RecallRequest.parse({ intent: write(8) });
    const start = performance.now();
    const [vector] = (await encoder?.encode([request.intent], 'query')) ?? [];
    const query = garden.index.vectors && quantise(vector ?? null, garden.index.vectors.mean);
    const encoded = performance.now();
    recall(garden, request, { now: NOW, query, explain: false });
    const end = performance.now();
    encoding.push(encoded - start);
    whole.push(end - start);
  }
  return { recall: spread(whole.slice(WARM_UP)), encoding: spread(encoding.slice(WARM_UP)) };
}

const nameOf = (u: number) => `unit-${String(u).padStart(6, '0')}`;

/** Two earlier units, near and far. */
const linksOf = (u: number) => [u - 1, u >> 1].filter((it) => it >= 0 && it !== u);

/** A unit with three triggers; in its own number and those near it are words that few others have. */
function textsOf(u: number, { phrases, sentences }: Omit<Shape, 'units'>, write: (length: number) => string): Texts {
  const near = Array.from({ length: 4 }, (_, i) => `case ${u + i * i}`).join(', ');
  return {
    name: nameOf(u),
    description: write(8),
    intents: [write(6), write(6), `${write(5)} ${u}`],
    phrases: Array.from({ length: phrases }, () => write(10)),
    content: `${Array.from({ length: sentences }, () => `${write(14)}.`).join('\n')}\n${near}\n`,
  };
}

/** How many words in a row are taken from one place. */
const RUN = 4;

/** Writes text with the words, frequencies and short phrases of the shipped instructions; it follows from a seed. */
function writer(seed: string): (length: number) => string {
  const source = shippedWords();
  const random = randomNumbers(seed);
  return (length) => {
    const words: string[] = [];
    while (words.length < length) {
      const at = Math.floor(random() * (source.length - RUN));
      words.push(...source.slice(at, at + RUN));
    }
    return words.slice(0, length).join(' ');
  };
}

function frequencies(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of shippedWords()) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function shippedWords(): string[] {
  const files = readdirSync('instructions', { recursive: true, encoding: 'utf8' }).sort();
  return files.filter((it) => it.endsWith('.md')).flatMap((it) => wordsIn(join('instructions', it)));
}

function wordsIn(file: string): string[] {
  return readFileSync(file, 'utf8').match(/[a-z]+(?:['-][a-z]+)*/giu) ?? [];
}
