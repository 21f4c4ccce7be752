import { expect, test } from 'vitest';
import { cachedEncoder } from '../../../compiler/app/preview/preview-inputs.ts';
import { blindPrompts, colleaguesPrompts } from '../../corpus/colleagues-prompts.ts';
import { measuredEncoder } from './encoder.ts';
import { give, type Given } from './hook.ts';
import {
  BRIEFED,
  clincSets,
  colleaguesSet,
  freightSets,
  shippedSets,
  skillSets,
  strangerSets,
} from './ranking-sets.ts';
import { printTable } from './table.ts';
import { hold, type Wanted } from './wanted.ts';

const loaded = await measuredEncoder();
const encoder = loaded && cachedEncoder(loaded.encoder);

const COLLEAGUES = 'shipped, prompts of colleagues';
const NO_VECTORS = `${COLLEAGUES}, no vectors`;
const BLIND = 'shipped, blind prompts';

/** Sets with others of their own; those of the rest are everyday prompts. */
const OWN_OTHERS: ReadonlySet<string> = new Set([COLLEAGUES, NO_VECTORS, BLIND, 'skills', 'CLINC150']);

/** Shares of prompts that get their page, of right texts, and of the others without a text and without names. */
const WANTED = [0.75, 0.9, 0.9, 0.7];

/** The least of each by set, which no change may fall below. */
const FLOORS: Readonly<Record<string, readonly number[]>> = {
  [COLLEAGUES]: [0.68, 0.9, 0.97, 0.7],
  // more than half of its others use a page's words for another matter
  [BLIND]: [0.69, 0.9, 0.95, 0.4],
  'shipped, phrases': [0.94, 0.95, 0.97, 0.79],
  'freight, three triggers': [0.77, 0.95, 0.97, 0.78],
  [BRIEFED]: [0.91, 0.94, 0.97, 0.77],
  skills: [0.7, 0.95, 0.97, 0.55],
  'strangers, briefed': [0.91, 0.95, 0.97, 0.77],
};

test('what a hook gives for a prompt by itself', async () => {
  const sets = [
    ...(await shippedSets(encoder)),
    await colleaguesSet(null, colleaguesPrompts(), NO_VECTORS),
    await colleaguesSet(encoder, blindPrompts(), BLIND),
    ...(await freightSets(encoder)).slice(1, 3),
    ...skillSets(encoder),
    ...(await strangerSets(encoder)),
    ...clincSets(encoder),
  ];
  const given: Given[] = [];
  for (const set of sets) given.push(await give(set, !OWN_OTHERS.has(set.name)));
  printTable(
    'By the hook alone',
    ['set', 'want a page', 'got text', 'got name', 'texts right', 'of all texts', 'others', 'with text', 'with names'],
    given.map((it) => [
      ...[it.name, it.wanting, shown(it.gotText, it.wanting), shown(it.gotName, it.wanting)],
      ...[shown(it.gotText, it.texts), shown(it.gotText, it.texts + (it.othersText * it.wanting) / it.others)],
      ...[it.others, shown(it.othersText, it.others), shown(it.othersName, it.others)],
    ]),
  );
  expect(given.map(({ name }) => name)).toContain(COLLEAGUES);
  hold(given.flatMap(reachedIn));
});

const share = (part: number, all: number) => part / Math.max(1, all);
const shown = (part: number, all: number) => share(part, all).toFixed(2);

function reachedIn({ name, wanting, gotText, gotName, texts, others, othersText, othersName }: Given): Wanted[] {
  const floor = FLOORS[name];
  if (floor === undefined) return [];
  const left = [1 - share(othersText, others), 1 - share(othersName, others)];
  return [
    { what: name, wanted: WANTED, floor, reached: [share(gotText + gotName, wanting), share(gotText, texts), ...left] },
  ];
}
