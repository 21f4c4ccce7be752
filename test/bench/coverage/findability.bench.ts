import { test } from 'vitest';
import { readLexicon } from '../../../compiler/io/models/lexicon.ts';
import { createPlacer } from '../../../compiler/quality/placement.ts';
import { measureCoverage } from '../../../compiler/quality/unit-coverage/coverage.ts';
import { leaveTriggersOut } from '../../../compiler/quality/unit-coverage/left-out.ts';
import { paraphraseAll } from '../../../compiler/quality/unit-coverage/questions.ts';
import { indexTexts } from '../../../compiler/quality/unit-coverage/texts.ts';
import type { RecallGarden } from '../../../compiler/recall/recall-garden.ts';
import { quantise, type Encoder } from '../../../compiler/recall/signals/semantic.ts';
import { FINDABILITY_LEAST } from '../../../compiler/schema/bundle/coverage.ts';
import { clincTask, hasClinc, type Task } from '../recall/clinc.ts';
import { measuredEncoder } from '../recall/encoder.ts';
import { randomNumbers, shuffled } from '../recall/random.ts';
import { printTable } from '../recall/table.ts';
import { gardenOf } from './coverage-garden.ts';
import { hitsOf, mean, NOW, spearman } from './coverage-rank.ts';

const MINUTE = 60_000;
const TRIGGER_SEEDS = ['1', '2', '3'];
const RESAMPLES = 1000;
const { lexicon } = readLexicon();

/** One question to a unit without the trigger that it comes from; scores of 1. */
interface Answer {
  readonly kind: 'paraphrase' | 'trigger';
  readonly own: number;
  /** Of the best other units, best first. */
  readonly rivals: readonly number[];
  /** The same of the units' own texts, without any trigger. */
  readonly texts: { readonly own: number; readonly rivals: readonly number[] };
}

/** A way to predict from a unit's answers how often real questions find it. */
type Forecast = (answers: readonly Answer[]) => number;

const logistic = (x: number) => 1 / (1 + Math.exp(-x));

/** The mean lead over a rival, in a width of scores. */
const lead =
  (width: number, rival: number, kinds: readonly Answer['kind'][]): Forecast =>
  (answers) =>
    mean(
      answers
        .filter(({ kind }) => kinds.includes(kind))
        .map(({ own, rivals }) => logistic((own - (rivals[rival - 1] ?? 0)) / width)),
    );

/** The mean lead of the unit's own text over the texts of the other units. */
const textLead =
  (width: number, rival: number): Forecast =>
  (answers) =>
    mean(
      answers
        .filter(({ kind }) => kind === 'paraphrase')
        .map(({ texts: { own, rivals } }) => logistic((own - (rivals[rival - 1] ?? 0)) / width)),
    );

const ratio =
  (width: number): Forecast =>
  (answers) =>
    mean(
      answers
        .filter(({ kind }) => kind === 'paraphrase')
        .map(({ own, rivals }) => logistic(Math.log((own + 0.01) / ((rivals[2] ?? 0) + 0.01)) / width)),
    );

/** The mean of several forecasts. */
const together =
  (...forecasts: readonly Forecast[]): Forecast =>
  (answers) =>
    mean(forecasts.map((it) => it(answers)));

const PARAPHRASES = ['paraphrase'] as const;
const TRIGGERS = ['trigger'] as const;
const BOTH = ['paraphrase', 'trigger'] as const;

/** Forecasts that were tried. */
const TRIED: readonly (readonly [name: string, Forecast])[] = [
  ['paraphrases, third best other, width .05', lead(0.05, 3, PARAPHRASES)],
  ['width .02', lead(0.02, 3, PARAPHRASES)],
  ['width .1', lead(0.1, 3, PARAPHRASES)],
  ['width .2', lead(0.2, 3, PARAPHRASES)],
  ['best other', lead(0.05, 1, PARAPHRASES)],
  ['second best other', lead(0.05, 2, PARAPHRASES)],
  ['hit@3 instead of a lead', (answers) => lead(1e-9, 3, PARAPHRASES)(answers)],
  ['the trigger itself is asked', lead(0.05, 3, TRIGGERS)],
  ['the trigger itself, width .1', lead(0.1, 3, TRIGGERS)],
  ['the trigger and its paraphrases', lead(0.05, 3, BOTH)],
  ['ratio of scores .2', ratio(0.2)],
  ['ratio of scores .5', ratio(0.5)],
  ['own text, third best other text, width .05', textLead(0.05, 3)],
  ['own text, width .1', textLead(0.1, 3)],
  ['own text, width .2', textLead(0.2, 3)],
  ['own text, 10th best other text, width .1', textLead(0.1, 10)],
  ['left out and own text, width .05', together(lead(0.05, 3, PARAPHRASES), textLead(0.05, 3))],
  ['left out and own text, width .1', together(lead(0.1, 3, PARAPHRASES), textLead(0.1, 3))],
  ['left out, .05, and own text, 10th, .1', together(lead(0.05, 3, PARAPHRASES), textLead(0.1, 10))],
];

/** Everything that one sample of triggers gives, by unit. */
interface Sample {
  readonly names: readonly string[];
  readonly real: Readonly<Record<'train' | 'val' | 'test', readonly number[]>>;
  readonly letter: readonly number[];
  readonly counted: readonly number[];
  readonly product: readonly number[];
  readonly answers: readonly (readonly Answer[])[];
}

async function sampleOf(triggers: number, seed: string, encoder: Encoder | null): Promise<Sample> {
  const task = clincTask(triggers, seed, 'val');
  const garden = await gardenOf(task.units, encoder);
  const { units } = await measureCoverage(garden, task.units, { encode: encoder, lexicon }, NOW);
  const found = new Map(units.map((it) => [it.name, it]));
  const of = (figure: (it: (typeof units)[number]) => number) =>
    task.units.map(({ name }) => figure(found.get(name) ?? units[0]!));
  const real = (split: 'train' | 'val' | 'test') => hitsOf(garden, clincTask(triggers, seed, split), encoder);
  return {
    names: task.units.map(({ name }) => name),
    real: { train: await real('train'), val: await real('val'), test: await real('test') },
    letter: of(({ coverage_pct }) => coverage_pct),
    counted: of(({ counted }) => counted.found / Math.max(1, counted.paraphrases)),
    product: of(({ findability }) => findability?.score ?? 0),
    answers: await answersOf(garden, task, encoder),
  };
}

async function answersOf(garden: RecallGarden, task: Task, encoder: Encoder | null): Promise<Answer[][]> {
  const { units } = task;
  const score = await leaveTriggersOut(garden, units, encoder);
  const placer = createPlacer(garden, NOW);
  const texts = await indexTexts(garden, encoder, placer.isServed);
  const asked = [
    ...paraphraseAll(garden, units, lexicon).map((it) => ({ ...it, kind: 'paraphrase' as const })),
    ...units.flatMap((unit) =>
      unit.intents.map((intent) => ({ unit, intent, paraphrase: intent, kind: 'trigger' as const })),
    ),
  ];
  const vectors =
    (await encoder?.encode(
      asked.map(({ paraphrase }) => paraphrase),
      'query',
    )) ?? [];
  const answers = new Map(units.map(({ name }) => [name, [] as Answer[]]));
  asked.forEach(({ unit, intent, paraphrase, kind }, i) => {
    const vector = vectors[i] ?? null;
    const query = garden.index.vectors && quantise(vector, garden.index.vectors.mean);
    const { rivals, graph } = placer.place(paraphrase, query, unit.name);
    const own = score(unit, intent, { text: paraphrase, query, graph }) / 1e6;
    const total = texts.score(paraphrase, vector);
    const self = texts.index.named.get(unit.name) ?? -1;
    const others = [...total].filter((_, u) => u !== self).sort((a, b) => b - a);
    const alone = { own: (total[self] ?? 0) / 1e6, rivals: others.slice(0, 10).map((it) => it / 1e6) };
    answers.get(unit.name)?.push({ kind, own, rivals: rivals.map((it) => it.score / 1e6), texts: alone });
  });
  return units.map(({ name }) => answers.get(name) ?? []);
}

/** Half of the intents to choose by, the other half to judge by. */
function halves(names: readonly string[]): { choose: number[]; judge: number[] } {
  const order = shuffled(names, 'halves').map((name) => names.indexOf(name));
  const middle = order.length >> 1;
  return { choose: order.slice(0, middle), judge: order.slice(middle) };
}

/** Spearman's ρ with real hits over some units, mean of the samples, with a 95 % bootstrap interval over the units. */
function agreement(
  samples: readonly Sample[],
  units: readonly number[],
  figureOf: (it: Sample) => readonly number[],
  realOf: (it: Sample) => readonly number[],
): string {
  const rho = (chosen: readonly number[]) =>
    mean(
      samples.map((it) => {
        const [figure, real] = [figureOf(it), realOf(it)];
        return spearman(
          chosen.map((u) => figure[u] ?? 0),
          chosen.map((u) => real[u] ?? 0),
        );
      }),
    );
  const random = randomNumbers('bootstrap');
  const drawn = Array.from({ length: RESAMPLES }, () =>
    rho(units.map(() => units[Math.floor(random() * units.length)] ?? 0)),
  )
    .filter((it) => !Number.isNaN(it))
    .sort((a, b) => a - b);
  const at = (share: number) => (drawn[Math.floor(share * drawn.length)] ?? NaN).toFixed(2);
  if (drawn.length === 0) return 'all the same';
  return `${rho(units).toFixed(3)} (${at(0.025)} to ${at(0.975)})`;
}

test.runIf(hasClinc()).each([3, 5])(
  'CLINC150, %i triggers: what predicts how often real questions find a unit',
  async (triggers) => {
    const encoder = (await measuredEncoder())?.encoder ?? null;
    const samples: Sample[] = [];
    for (const seed of TRIGGER_SEEDS) samples.push(await sampleOf(triggers, seed, encoder));
    const { choose, judge } = halves(samples[0]?.names ?? []);
    const chosenBy = (it: Sample) => it.real.train.map((hit, u) => mean([hit, it.real.val[u] ?? 0]));
    const forecasts = TRIED.map(([name, forecast]) => [name, (it: Sample) => it.answers.map(forecast)] as const);
    const known = [
      ['findability, as compiled', (it: Sample) => it.product],
      ['coverage_pct (§21.8.3)', (it: Sample) => it.letter],
      ['paraphrases that the text rules leave', (it: Sample) => it.counted],
      ['other real questions: the most there is', (it: Sample) => it.real.train],
    ] as const;
    printTable(
      `CLINC150, ${triggers} triggers, to choose: Spearman’s ρ with real hit@3 (train and val) over ${choose.length} intents`,
      ['what', 'ρ (95 %)'],
      [...forecasts, ...known.slice(0, 3)].map(([name, of]) => [name, agreement(samples, choose, of, chosenBy)]),
    );
    if (process.env['VADE_SPLIT'] !== 'test') return;
    printTable(
      `CLINC150, ${triggers} triggers, to judge: Spearman’s ρ with real hit@3 (test) over ${judge.length} other intents`,
      ['what', 'ρ (95 %)'],
      known.map(([name, of]) => [name, agreement(samples, judge, of, (it) => it.real.test)]),
    );
    const all = samples.flatMap(({ product, real }) =>
      judge.map((u) => ({ isWarned: (product[u] ?? 0) < FINDABILITY_LEAST, hit: real.test[u] ?? 0 })),
    );
    printTable(
      `CLINC150, ${triggers} triggers, to judge: real hit@3 of units with and without the warning`,
      ['findability', 'units of three samples', 'mean hit@3', 'below 0.8'],
      [true, false].map((warned) => {
        const hits = all.filter((it) => it.isWarned === warned).map(({ hit }) => hit);
        const low = hits.filter((hit) => hit < 0.8).length;
        return [`${warned ? 'below' : 'from'} ${FINDABILITY_LEAST}`, hits.length, mean(hits).toFixed(3), low];
      }),
    );
  },
  30 * MINUTE,
);
