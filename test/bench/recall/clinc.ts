import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { IndexedUnit } from '../../../compiler/recall/index/search-index.ts';
import { byText } from '../../../compiler/trust/canonical.ts';
import { corpusOf } from '../../support/corpus.ts';
import { shuffled } from './random.ts';
import { toUnit } from './units.ts';

const Utterances = z.array(z.tuple([z.string(), z.string()]));
const SPLITS = ['train', 'val', 'test'] as const;
const Data = z.object({
  train: Utterances,
  val: Utterances,
  test: Utterances,
  oos_train: Utterances,
  oos_val: Utterances,
  oos_test: Utterances,
});

/** Choose on `train` and `val`; report `test`. */
export type Split = (typeof SPLITS)[number];

/** Units with the utterances to ask, each with its unit's number, and those that no unit answers. */
export interface Task {
  readonly units: readonly IndexedUnit[];
  readonly asked: readonly { readonly text: string; readonly wanted: number }[];
  readonly outOfScope: readonly string[];
}

const { path: FILE, isThere } = corpusOf('clinc150/data_small.json');

/** The split named in VADE_SPLIT, by default `val`. */
export const SPLIT: Split = z.enum(SPLITS).parse(process.env['VADE_SPLIT'] ?? 'val');

/** Seeds of the trigger samples: the one in VADE_SEED, or 1; with `all`, three of them. */
export const SEEDS = process.env['VADE_SEED'] === 'all' ? ['1', '2', '3'] : [process.env['VADE_SEED'] ?? '1'];

/** Whether the data set is at hand. */
export const hasClinc = (): boolean => isThere;

/**
 * CLINC150 as a retrieval task: an intent is a unit whose description is its name in words, and some of its
 * train utterances, drawn by seed, are its triggers. Three triggers are the first three of five.
 *
 * @param split the utterances to ask; of `train`, those that are no triggers
 */
export function clincTask(triggers: number, seed: string, split: Split = SPLIT): Task {
  const data = Data.parse(JSON.parse(readFileSync(FILE, 'utf8')));
  const intents = [...new Set(data.train.map(([, intent]) => intent))].sort((a, b) => byText(nameOf(a), nameOf(b)));
  const units = intents.map((intent) => {
    const own = data.train.filter((it) => it[1] === intent).map(([text]) => text);
    const description = intent.replaceAll('_', ' ');
    const sample = shuffled(own, `${seed} ${intent}`).slice(0, triggers);
    return toUnit({ name: nameOf(intent), description, intents: sample, content: description });
  });
  const numbers = new Map(intents.map((intent, u) => [intent, u]));
  const asked = data[split].map(([text, intent]) => ({ text, wanted: numbers.get(intent) ?? -1 }));
  return {
    units,
    asked: asked.filter(({ text, wanted }) => split !== 'train' || units[wanted]?.intents.includes(text) === false),
    outOfScope: data[`oos_${split}`].map(([text]) => text),
  };
}

const nameOf = (intent: string) => intent.replaceAll('_', '-');
