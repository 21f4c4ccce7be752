import { beforeAll, expect, test } from 'vitest';
import { cachedEncoder } from '../../../compiler/app/preview/preview-inputs.ts';
import { loadEncoder } from '../../../compiler/io/models/encoder.ts';
import { queryCost } from '../../../compiler/io/models/query-cost.ts';
import type { Encoder } from '../../../compiler/recall/signals/semantic.ts';
import { ModelChoice } from '../../../compiler/schema/source/org.ts';
import { clincTask, hasClinc, SEEDS, SPLIT } from './clinc.ts';
import { dense, hybrid, questionsOf } from './methods.ts';
import { printTable } from './table.ts';
import { indexOf } from './units.ts';

const { VADE_MODEL: MODEL, VADE_MODELS: MODELS = 'models' } = process.env;

interface Compared {
  readonly name: string;
  /** Milliseconds a query. */
  readonly cost: string;
  readonly encoder: Encoder;
}

/** The built-in table; and, if VADE_MODEL names a model below VADE_MODELS, this model, and both, half each. */
let encoders: Compared[] = [];

beforeAll(async () => {
  const open = async (name: string, choice: ModelChoice | 'builtin') => {
    const { encoder } = await loadEncoder(MODELS, choice);
    const cost = (await queryCost(encoder)).toPrecision(2);
    // triggers of all draws and the questions are encoded once
    return { name, cost, encoder: cachedEncoder(encoder) };
  };
  encoders = [await open('built-in table', 'builtin')];
  if (MODEL === undefined) return;
  encoders.push(
    await open(`${MODEL} alone`, ModelChoice.parse({ name: MODEL })),
    await open('both, half each', ModelChoice.parse({ name: MODEL, mode: 'with_builtin' })),
  );
});

const HALVES = [0, 1] as const;

test.runIf(hasClinc()).each([3, 5])(
  'the semantic signal alone, and recall, on CLINC150 with %i triggers a unit, in two halves of the questions',
  async (triggers) => {
    const rows: string[][] = [];
    for (const it of encoders) rows.push(...(await rowsOf(it, triggers)));
    printTable(
      `CLINC150, ${triggers} triggers, ${SPLIT}, seed ${SEEDS.join(', ')}: hit@1 and hit@3 of the halves, with 95 % intervals`,
      ['encoder', 'method', 'ms a query', 'first half @1', '@3', 'second half @1', '@3'],
      rows,
    );
    expect(rows.length).toBeGreaterThan(0);
  },
  1_200_000,
);

/** One row for each method. */
async function rowsOf({ name, cost, encoder }: Compared, triggers: number): Promise<string[][]> {
  const found = new Map<string, Places[]>();
  const { asked } = clincTask(triggers, SEEDS[0] ?? '');
  const vectors = await questionsOf(
    asked.map(({ text }) => text),
    encoder,
  );
  for (const seed of SEEDS) {
    const index = await indexOf(clincTask(triggers, seed).units, encoder);
    for (const method of [dense(index), hybrid(index)]) {
      const ranks = asked.map(({ wanted }, i) => method.rank(vectors[i]!).indexOf(wanted));
      found.set(method.name, [...(found.get(method.name) ?? []), ranks]);
    }
  }
  return ['dense', 'hybrid'].map((method) => [name, method, cost, ...halvesOf(found.get(method) ?? [])]);
}

/** The place of the wanted unit for each question; -1 if it is not ranked. */
type Places = readonly number[];

function halvesOf(draws: readonly Places[]): string[] {
  return HALVES.flatMap((half) =>
    [1, 3].map((k) => {
      const own = draws.flatMap((places) => places.filter((_, i) => i % 2 === half));
      const hits = own.filter((place) => place >= 0 && place < k).length;
      // the draws share their questions, so only one draw's number of them counts
      return share(hits / own.length, own.length / draws.length);
    }),
  );
}

/** A share with its Wilson interval. */
function share(p: number, n: number): string {
  const z = 1.96;
  const middle = (p + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const reach = (z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))) / (1 + (z * z) / n);
  return `${p.toFixed(3)} (${(middle - reach).toFixed(3)}–${(middle + reach).toFixed(3)})`;
}
