import { test } from 'vitest';
import { askShipped, askShippedOverMcp } from './shipped.ts';
import { rowsOf, summaryOf } from './tokens.ts';

test('the shipped deployment, asked its own probes', async () => {
  const found = await askShipped([1, 2, 3, 4, 5]);
  const whole = found.get(3) ?? [];
  const agents = [...new Set(whole.map(({ agent }) => agent))];
  const lines = [
    '  max_chunks 3, as a recall has it by itself:',
    ...rowsOf(whole),
    ...[...found].map(([depth, answers]) => summaryOf(`max_chunks ${depth}`, answers)),
    summaryOf('over MCP, texts and names', await askShippedOverMcp()),
    ...agents.map((agent) =>
      summaryOf(
        `max_chunks 3, ${agent}`,
        whole.filter((it) => it.agent === agent),
      ),
    ),
  ];
  process.stdout.write(`${['', ...lines, ''].join('\n')}\n`);
});
