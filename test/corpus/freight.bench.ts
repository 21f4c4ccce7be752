import { test } from 'vitest';
import { countTokens } from '../../compiler/io/models/tokens.ts';
import { choices, freightGarden, questions } from './freight.ts';

const print = (lines: readonly string[]) => process.stdout.write(`\n${lines.join('\n')}\n`);

test('an agent chooses among the first and its twelve candidates, by name and description alone', () => {
  const asked = questions();
  print(
    Object.entries(choices()).map(([label, chosen]) => {
      const right = asked.filter(({ unit }, at) => chosen[at] === unit).length;
      const none = chosen.filter((it) => it === 'none').length;
      return `  ${label.padEnd(34)} right after a choice: ${(right / asked.length).toFixed(3)}, none of these: ${none}`;
    }),
  );
});

/** Cost of each question in tokens, and how many are answered. */
async function costOf(isBriefed: boolean, chosen: readonly string[] | null) {
  const { garden, answer } = await freightGarden(isBriefed);
  const tokensOf = (name: string) => garden.facts.find((it) => it.name === name)?.tokens ?? 0;
  let tokens = 0;
  let right = 0;
  for (const [at, { ask: intent, unit }] of questions().entries()) {
    const {
      chunks,
      candidates = [],
      total_tokens,
    } = await answer(intent, chosen === null ? 3 : 1, chosen === null ? 0 : 12);
    const named = candidates.reduce((all, it) => all + countTokens(JSON.stringify(it)), 0);
    const choice = chosen?.[at] ?? chunks[0]?.name;
    // a choice among the candidates is a second call, with candidates of its own
    const again = chosen !== null && choice !== 'none' && choice !== chunks[0]?.name;
    tokens += total_tokens + named + (again ? tokensOf(choice ?? '') + named : 0);
    right += Number(chosen === null ? chunks.some(({ name }) => name === unit) : choice === unit);
  }
  return `${(tokens / questions().length).toFixed(0)} tokens a question, ${(tokens / right).toFixed(0)} a right find, ${(right / questions().length).toFixed(3)} right`;
}

test('tokens a find: three chunks, and one chunk with a choice among twelve candidates', async () => {
  const { three_triggers = [], eight_phrases = [] } = choices();
  print([
    `  three triggers, three chunks       ${await costOf(false, null)}`,
    `  three triggers, a choice           ${await costOf(false, three_triggers)}`,
    `  eight phrases, three chunks        ${await costOf(true, null)}`,
    `  eight phrases, a choice            ${await costOf(true, eight_phrases)}`,
  ]);
});
