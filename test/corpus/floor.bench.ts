import { test } from 'vitest';
import { scoreUnits } from '../../compiler/recall/rank/rank.ts';
import { quantise } from '../../compiler/recall/signals/semantic.ts';
import { topK } from '../../compiler/recall/signals/top-k.ts';
import { clincTask, hasClinc, SPLIT } from '../bench/recall/clinc.ts';
import { measuredEncoder } from '../bench/recall/encoder.ts';
import { indexOf } from '../bench/recall/units.ts';
import { percent } from './tokens.ts';

const CHUNKS = 3;

/**
 * Answers that end where a score falls below a share of the best are measured on questions that nobody here
 * wrote (CLINC150): the place to choose such a share, since the shipped probes are what it would be judged by.
 */
test.runIf(hasClinc())('answers that end by themselves, on CLINC150', async () => {
  const { units, asked } = clincTask(5, '1');
  const loaded = await measuredEncoder();
  const index = await indexOf(units, loaded?.encoder ?? null);
  const encode = async (text: string) => (await loaded?.encoder.encode([text], 'query'))?.[0] ?? null;
  const answers: { readonly shares: number[]; readonly rank: number }[] = [];
  for (const { text, wanted } of asked) {
    const query = index.vectors && quantise(await encode(text), index.vectors.mean);
    const { total } = scoreUnits(index, text, query);
    const order = topK(total, CHUNKS);
    const best = total[order[0] ?? 0] ?? 0;
    answers.push({ shares: order.map((unit) => (total[unit] ?? 0) / best), rank: order.indexOf(wanted) });
  }
  const found = answers.filter(({ rank }) => rank >= 0).length;
  const lines = [0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9].map((floor) => {
    const kept = answers.filter(({ rank, shares }) => rank >= 0 && (shares[rank] ?? 0) >= floor).length;
    const units = answers.reduce((all, { shares }) => all + shares.filter((it) => it >= floor).length, 0);
    return `  below ${floor.toFixed(1)} of the best: keeps ${percent(kept / found)} of what the first ${CHUNKS} find, in ${(units / answers.length).toFixed(2)} units`;
  });
  process.stdout.write(
    `\n  CLINC150 ${SPLIT}, ${answers.length} utterances, ${percent(found / answers.length)} found\n${lines.join('\n')}\n`,
  );
});
