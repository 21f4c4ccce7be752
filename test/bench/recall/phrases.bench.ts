import { expect, test } from 'vitest';
import type { IndexedUnit, SearchIndex } from '../../../compiler/recall/index/search-index.ts';
import { rankUnits, scoreUnits } from '../../../compiler/recall/rank/rank.ts';
import { quantise } from '../../../compiler/recall/signals/semantic.ts';
import { briefedGardens, type BriefedGarden } from './briefed.ts';
import { measuredEncoder } from './encoder.ts';
import { questionsOf, type Question } from './methods.ts';
import { shuffled } from './random.ts';
import { printTable } from './table.ts';
import { indexOf } from './units.ts';

const gardens = briefedGardens();
const HALVES = Array.from({ length: 10 }, (_, i) => String(i + 1));

/** By how many points the first places of units without phrases may fall. */
const MOST_LOST = 2;

/** A unit that a probe requires, and its rank. */
interface Found {
  readonly unit: string;
  readonly rank: number;
}

/** Which units have phrases, and how an index with them is asked. */
interface Way {
  readonly isBriefed: (unit: string) => boolean;
  readonly asked?: (index: SearchIndex) => SearchIndex;
}

/** The best of many rows counts as much as the best of few. */
const uncorrected = (index: SearchIndex): SearchIndex => {
  const { vectors } = index;
  return { ...index, vectors: vectors && { ...vectors, discounts: new Uint16Array(vectors.discounts.length) } };
};

const questions = new Map<string, Question>();
const loaded = await measuredEncoder();

async function find(ways: Way): Promise<Found[]> {
  const found: Found[] = [];
  for (const garden of gardens) found.push(...(await findIn(garden, ways)));
  return found;
}

async function findIn({ units, probes }: BriefedGarden, { isBriefed, asked = (it) => it }: Way): Promise<Found[]> {
  const encoder = loaded?.encoder ?? null;
  const told = units.map((unit): IndexedUnit => ({ ...unit, phrases: isBriefed(unit.series) ? unit.phrases : [] }));
  const index = asked(await indexOf(told, encoder));
  const unknown = probes.map(({ intent }) => intent).filter((it) => !questions.has(it));
  for (const it of await questionsOf(unknown, encoder)) questions.set(it.text, it);
  return probes.flatMap(({ intent, required }) => {
    const vector = questions.get(intent)?.vector ?? null;
    const scores = scoreUnits(index, intent, index.vectors && quantise(vector, index.vectors.mean));
    const names = rankUnits(scores, () => true).map((unit) => index.names[unit]);
    return required.map((name) => {
      const unit = units.find((it) => it.name === name)?.series ?? '';
      return { unit, rank: names.indexOf(name) + 1 || Infinity };
    });
  });
}

const percent = (found: readonly Found[], k: number) =>
  (100 * found.filter(({ rank }) => rank <= k).length) / Math.max(1, found.length);

test.runIf(gardens.length > 0)('half of a handbook has phrases, and the other half is found as before', async () => {
  const all = [...new Set(gardens.flatMap(({ units }) => units.map(({ series }) => series)))].sort();
  const halves = HALVES.map((seed) => new Set(shuffled(all, seed).slice(0, Math.ceil(all.length / 2))));
  const plain = await find({ isBriefed: () => false });
  const rows: (readonly [string, (half: ReadonlySet<string>) => Promise<Found[]>])[] = [
    ['no phrases', () => Promise.resolve(plain)],
    ['the best row as it is', (half) => find({ isBriefed: (it) => half.has(it), asked: uncorrected })],
    ['as recall scores', (half) => find({ isBriefed: (it) => half.has(it) })],
  ];
  const figures: number[][] = [];
  for (const [, ask] of rows) {
    const sums = [0, 0, 0, 0];
    for (const half of halves) {
      const found = await ask(half);
      const parts = [found.filter(({ unit }) => half.has(unit)), found.filter(({ unit }) => !half.has(unit))];
      parts.forEach((part, i) => {
        for (const [j, k] of [1, 3].entries()) sums[2 * i + j]! += percent(part, k) / halves.length;
      });
    }
    figures.push(sums);
  }
  printTable(
    `${plain.length} wanted units of probes, ${all.length} units, ${halves.length} halves; in percent`,
    ['', 'with phrases: first', 'among 3', 'without: first', 'among 3'],
    rows.map(([name], i) => [name, ...figures[i]!.map((it) => it.toFixed(1))]),
  );
  const whole = await find({ isBriefed: () => true });
  printTable(
    'all units have phrases; in percent',
    ['', 'first', 'among 3', 'among 10'],
    [
      ['no phrases', ...[1, 3, 10].map((k) => percent(plain, k).toFixed(1))],
      ['as recall scores', ...[1, 3, 10].map((k) => percent(whole, k).toFixed(1))],
    ],
  );
  expect(figures[2]![2]! - figures[0]![2]!).toBeGreaterThanOrEqual(-MOST_LOST);
});
