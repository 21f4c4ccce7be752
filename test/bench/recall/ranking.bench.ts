import { test } from 'vitest';
import { cachedEncoder } from '../../../compiler/app/preview/preview-inputs.ts';
import type { Encoder } from '../../../compiler/recall/signals/semantic.ts';
import { measuredEncoder } from './encoder.ts';
import { find, toText, type Found } from './found.ts';
import { bothHalves, drawnHalves, findHalves, undeducted } from './halves.ts';
import { separate, type Separation } from './nothing-fits.ts';
import {
  AS_TRIGGERS,
  BRIEFED,
  ceoSets,
  clincSets,
  freightSet,
  freightSets,
  largeSets,
  shippedSet,
  shippedSets,
  skillSets,
  strangerSets,
  type RankingSet,
} from './ranking-sets.ts';
import { printTable } from './table.ts';
import { hold, type Wanted } from './wanted.ts';

const MINUTE = 60_000;

/** Sizes of the large gardens, from VADE_GARDENS. */
const SIZES = (process.env['VADE_GARDENS'] ?? '1000,5000').split(',').map(Number);

const loaded = await measuredEncoder();
const encoder = loaded && cachedEncoder(loaded.encoder);

const SOURCES: readonly ((encoder: Encoder | null) => RankingSet[] | Promise<RankingSet[]>)[] = [
  clincSets,
  freightSets,
  shippedSets,
  strangerSets,
  ceoSets,
  skillSets,
  ...SIZES.map((size) => (it: Encoder | null) => largeSets(size, it)),
];

/** First and among 3, two points at most are lost. */
const NOT_LOST = [-0.02, -0.02];

interface Least {
  readonly set: string;
  /** The set that a figure is wanted of, where it is none of ours. */
  readonly of?: string;
  readonly isPasted?: true;
  readonly wanted: readonly number[];
  /** By default what is wanted. */
  readonly floor?: readonly number[];
}

/**
 * Shares first, among 3 and among 12. Of probes, strangers and `freight` in large gardens, nothing is to be lost that
 * was found while the lexical sum was divided by its highest.
 */
const LEAST: readonly Least[] = [
  { set: 'CLINC150', wanted: [0.81, 0.945], floor: [0.81, 0.935] },
  { set: 'skills', of: '147 others', wanted: [0.65, 0.82, 0.93], floor: [0.63, 0.8, 0.93] },
  { set: BRIEFED, of: '64 sections', wanted: [0.86, 0.93], floor: [0.82, 0.92] },
  { set: BRIEFED, of: '64 sections', isPasted: true, wanted: [0.8], floor: [0.62] },
  { set: 'freight, three triggers', of: '64 sections', wanted: [0.6, 0.74], floor: [0.57, 0.74] },
  { set: 'shipped, phrases', wanted: [0.755, 0.939, 1] },
  { set: 'shipped, no phrases', wanted: [0.53, 0.771, 0.955] },
  { set: 'shipped, prompts of colleagues', wanted: [0.47, 0.64] },
  { set: 'strangers, as migrated', wanted: [0.458, 0.729, 0.854] },
  { set: 'strangers, briefed', wanted: [0.75, 0.9, 0.979] },
  { set: 'freight, eight phrases, among 1000', wanted: [0.65, 0.837, 0.975], floor: [0.65, 0.81, 0.96] },
  { set: 'freight, eight phrases, among 5000', wanted: [0.566, 0.766, 0.941], floor: [0.51, 0.66, 0.825] },
];

test(
  'the right unit first, among 3 and among 12',
  async () => {
    const found: Found[] = [];
    for (const setsOf of SOURCES) for (const set of await setsOf(encoder)) found.push(await find(set));
    printTable(
      'The right unit first / among 3 / among 12, by recall and by BM25 over everything',
      ['set', 'prompts', 'recall', 'BM25', 'recall, a text pasted in', 'BM25, a text pasted in'],
      found.map(({ name, asked, recall, bm25, pasted }) => [
        ...[name, asked, toText(recall), toText(bm25)],
        ...[toText(pasted.recall), toText(pasted.bm25)],
      ]),
    );
    hold([...LEAST.flatMap((it) => reachedIn(found, it)), ...phrasesBesideTriggers(found)]);
  },
  30 * MINUTE,
);

function reachedIn(found: readonly Found[], { set, of, isPasted, wanted, floor = wanted }: Least): Wanted[] {
  const one = found.find(({ name }) => name === set);
  const what = [set, ...(isPasted ? ['a text pasted in'] : []), ...(of ? [`wanted of ${of}`] : [])].join('; ');
  return one ? [{ what, wanted, floor, reached: isPasted ? one.pasted.recall : one.recall }] : [];
}

function phrasesBesideTriggers(found: readonly Found[]): Wanted[] {
  const [phrases, triggers] = [BRIEFED, AS_TRIGGERS].map((set) => found.find(({ name }) => name === set)?.recall ?? []);
  const reached = (phrases ?? []).map((it, i) => it - (triggers?.[i] ?? 0));
  return [{ what: 'phrases, above the same as triggers', wanted: NOT_LOST, floor: NOT_LOST, reached }];
}

test(
  'half of the units have phrases, and the others are found as before',
  async () => {
    const [freight, shipped] = [await freightSet(encoder), await shippedSet(encoder)];
    const rows: (readonly string[])[] = [];
    const wanted: Wanted[] = [];
    for (const [set, halves] of [
      [freight, bothHalves(freight)],
      [shipped, drawnHalves(shipped, 10)],
    ] as const) {
      const none = await findHalves(set, halves, false);
      const half = await findHalves(set, halves, true);
      const plain = await findHalves(set, halves, true, undeducted);
      for (const [how, it] of Object.entries({ none, half, 'half, no deduction': plain })) {
        rows.push([`${set.name}: ${how}`, toText(it.briefed), toText(it.others)]);
      }
      const reached = half.others.map((it, i) => it - (none.others[i] ?? 0));
      wanted.push({ what: `${set.name}: the others`, wanted: NOT_LOST, floor: NOT_LOST, reached });
    }
    printTable('Half of the units have phrases: first / among 3 / among 12', ['', 'this half', 'the others'], rows);
    hold(wanted);
  },
  30 * MINUTE,
);

test(
  'prompts that no unit serves are told from the others',
  async () => {
    const sets = [
      ...clincSets(encoder),
      ...(await freightSets(encoder)).slice(1, 3),
      ...(await shippedSets(encoder)),
      ...skillSets(encoder),
    ];
    const found = new Map<string, Separation>();
    for (const { name, gardens } of sets) found.set(name, await separate(gardens));
    printTable(
      'Nothing fits: prompts of about equal length, with a wanted unit and without',
      ['set', 'asked', 'none', 'AUC', 'kept at 10 % false', 'asked below the threshold', 'none below it'],
      [...found].map(([name, { asked, none, ...it }]) => [
        ...[name, asked, none],
        ...[it.auc, it.kept, it.askedBelow, it.noneBelow].map((share) => share.toFixed(2)),
      ]),
    );
    const near = found.get('skills');
    const least = { wanted: [0.82, 0.55], floor: [0.75, 0.48] };
    if (near) hold([{ what: 'near misses: AUC, kept', ...least, reached: [near.auc, near.kept] }]);
  },
  30 * MINUTE,
);
