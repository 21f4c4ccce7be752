import { test } from 'vitest';
import { askShipped, endingAt, withCandidates } from './shipped.ts';
import { rowsOf, summaryOf } from './tokens.ts';

test('the shipped deployment, asked its own probes', async () => {
  const found = await askShipped([1, 2, 3, 4, 5]);
  const whole = found.get(3) ?? [];
  const agents = [...new Set(whole.map(({ agent }) => agent))];
  const lines = [
    '  max_chunks 3, as a recall has it by itself:',
    ...rowsOf(whole),
    ...[...found].map(([depth, answers]) => summaryOf(`max_chunks ${depth}`, answers)),
    summaryOf('max_chunks 1, and 12 candidates', withCandidates(found.get(1) ?? [])),
    summaryOf('max_chunks 3, and 12 candidates', withCandidates(whole)),
    ...agents.map((agent) =>
      summaryOf(
        `max_chunks 3, ${agent}`,
        whole.filter((it) => it.agent === agent),
      ),
    ),
    '  What answers would be like that end where a score falls below a share of the best (recall does not do so):',
    ...[0.4, 0.5, 0.6, 0.7].map((floor) => summaryOf(`max_chunks 3, ending below ${floor}`, endingAt(floor, whole))),
  ];
  process.stdout.write(`${['', ...lines, ''].join('\n')}\n`);
});
