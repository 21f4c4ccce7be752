import { beforeAll, expect, test } from 'vitest';
import type { LoadedEncoder } from '../../../compiler/io/models/encoder.ts';
import { clincTask, hasClinc, SEEDS, SPLIT, type Task } from './clinc.ts';
import { measuredEncoder } from './encoder.ts';
import { figuresOf, meanFigures, type Figures } from './figures.ts';
import { methodsOver, questionsOf, type Question } from './methods.ts';
import { measure, SHAPES, SIZES } from './speed.ts';
import { printTable } from './table.ts';

const MINUTE = 60_000;

/** Least results of the whole; held on the reported split alone. */
const FLOORS: Readonly<Record<number, Partial<Figures>>> = {
  5: { hit1: 0.82, hit3: 0.93, hit10: 0.97, auroc: 0.9 },
  3: { hit3: 0.9 },
};

let loaded: LoadedEncoder | null = null;
beforeAll(async () => {
  loaded = await measuredEncoder();
  const model = loaded && `${loaded.pin.name}, ${loaded.pin.dims} dimensions, sha256 ${loaded.pin.digest}`;
  process.stdout.write(`\nModel: ${model ?? 'none'}\n`);
});

test.runIf(hasClinc()).each([5, 3])(
  'CLINC150 with %i triggers a unit',
  async (triggers) => {
    const reached = new Map<string, Figures[]>();
    const { asked, outOfScope } = clincTask(triggers, SEEDS[0] ?? '');
    for (const seed of SEEDS) {
      for (const [name, figures] of await compare(clincTask(triggers, seed))) {
        reached.set(name, [...(reached.get(name) ?? []), figures]);
      }
    }
    const means = [...reached].map(([name, all]) => ({ name, ...meanFigures(all) }));
    printTable(
      `CLINC150, ${triggers} triggers, ${SPLIT}: ${asked.length} asked, ${outOfScope.length} out of scope, seed ${SEEDS.join(', ')}`,
      ['method', 'hit@1', 'hit@3', 'hit@10', 'MRR', 'OOS AUROC'],
      means.map((it) => [it.name, ...[it.hit1, it.hit3, it.hit10, it.mrr, it.auroc].map((x) => x.toFixed(4))]),
    );
    if (SPLIT !== 'test') return;
    for (const [figure, floor] of Object.entries(FLOORS[triggers] ?? {})) {
      expect.soft(means.at(-1)?.[figure as keyof Figures], figure).toBeGreaterThanOrEqual(floor);
    }
  },
  10 * MINUTE,
);

const questions = new Map<string, Question>();

/** Every method's figures for one task; a question is encoded once for all tasks. */
async function compare({ units, asked, outOfScope }: Task): Promise<[string, Figures][]> {
  const encoder = loaded?.encoder ?? null;
  const fresh = [...asked.map(({ text }) => text), ...outOfScope].filter((text) => !questions.has(text));
  for (const it of await questionsOf(fresh, encoder)) questions.set(it.text, it);
  const question = (text: string) => questions.get(text) ?? { text, vector: null };
  return (await methodsOver(units, encoder)).map(({ name, rank }) => [
    name,
    figuresOf(
      asked.map(({ text, wanted }) => ({ ...rank(question(text)), wanted })),
      outOfScope.map((text) => rank(question(text))),
    ),
  ]);
}

test(
  'speed of a warm recall in process, and of index building',
  async () => {
    const rows: string[][] = [];
    for (const texts of SIZES.flatMap((units) => SHAPES.map((shape) => ({ units, ...shape })))) {
      const { built, bytes, loaded: read, recall, encoding } = await measure(texts, loaded?.encoder ?? null);
      const times = [recall.median, recall.p99, encoding.median, encoding.p99].map((it) => it.toFixed(3));
      const sizes = [(1000 * texts.units) / built, bytes / texts.units, read].map((it) => it.toFixed(0));
      rows.push([...[texts.units, texts.phrases, texts.sentences].map(String), ...times, ...sizes]);
    }
    printTable(
      'Warm recall in process, encoding included, in milliseconds; index building on one core',
      [
        ...['units', 'phrases each', 'sentences each', 'median', 'p99', 'encoding median', 'encoding p99'],
        ...['built units/s', 'index bytes a unit', 'index read, ms'],
      ],
      rows,
    );
  },
  30 * MINUTE,
);
