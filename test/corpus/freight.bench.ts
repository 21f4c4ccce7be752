import { test } from 'vitest';
import { countTokens } from '../../compiler/io/models/tokens.ts';
import { choices, freightGarden, questions, unitNames, type Question, type Words } from './freight.ts';

const NONE: ReadonlySet<string> = new Set();
const ALL = new Set(unitNames());

/** 1-based; 0 where a unit does not come. */
interface Ranked extends Question {
  readonly rank: number;
}

async function ask(words: Words): Promise<Ranked[]> {
  const { ranked } = await freightGarden(words);
  const found: Ranked[] = [];
  for (const it of questions()) found.push({ ...it, rank: (await ranked(it.ask)).indexOf(it.unit) + 1 });
  return found;
}

const share = (asked: readonly Ranked[], depth: number) =>
  (asked.filter(({ rank }) => rank > 0 && rank <= depth).length / asked.length).toFixed(3);

function row(label: string, asked: readonly Ranked[]): string {
  const depths = [1, 3, 10, 12].map((depth) => share(asked, depth)).join(' / ');
  const kinds = (['plain', 'other', 'situation', 'messy'] as const).map(
    (kind) =>
      `${kind} @3 ${share(
        asked.filter((it) => it.kind === kind),
        3,
      )}`,
  );
  return `  ${label.padEnd(34)} first / 3 / 10 / 12: ${depths}   ${kinds.join('  ')}`;
}

const print = (lines: readonly string[]) => process.stdout.write(`\n${lines.join('\n')}\n`);

test('forty sections, by the words that authors and a coding agent gave them', async () => {
  print([
    row('no triggers', await ask({ triggers: false, phrases: 0, briefed: NONE })),
    row('three triggers', await ask({ triggers: true, phrases: 0, briefed: NONE })),
    row('three triggers, four phrases', await ask({ triggers: true, phrases: 4, briefed: ALL })),
    row('three triggers, eight phrases', await ask({ triggers: true, phrases: 8, briefed: ALL })),
    row('eight phrases alone', await ask({ triggers: false, phrases: 8, briefed: ALL })),
  ]);
});

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
async function costOf(words: Words, chosen: readonly string[] | null) {
  const { garden, answer } = await freightGarden(words);
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
  const authors = { triggers: true, phrases: 0, briefed: NONE } as const;
  const briefed = { triggers: true, phrases: 8, briefed: ALL } as const;
  const { three_triggers = [], eight_phrases = [] } = choices();
  print([
    `  three triggers, three chunks       ${await costOf(authors, null)}`,
    `  three triggers, a choice           ${await costOf(authors, three_triggers)}`,
    `  eight phrases, three chunks        ${await costOf(briefed, null)}`,
    `  eight phrases, a choice            ${await costOf(briefed, eight_phrases)}`,
  ]);
});

test('half of the sections have phrases: what the other half loses', async () => {
  const lines: string[] = [];
  const before = await ask({ triggers: true, phrases: 0, briefed: NONE });
  for (const half of [0, 1]) {
    const briefed = new Set(unitNames().filter((_, at) => at % 2 === half));
    const after = await ask({ triggers: true, phrases: 8, briefed });
    const of = (asked: readonly Ranked[], isBriefed: boolean) =>
      asked.filter((it) => briefed.has(it.unit) === isBriefed);
    lines.push(
      row('briefed half, before', of(before, true)),
      row('briefed half, after', of(after, true)),
      row('other half, before', of(before, false)),
      row('other half, after', of(after, false)),
    );
  }
  print(lines);
});
