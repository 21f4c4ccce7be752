import { expect, test } from 'vitest';
import type { RecallGarden } from '../../compiler/recall/recall-garden.ts';
import { recall } from '../../compiler/recall/recall.ts';
import { RecallRequest } from '../../compiler/schema/api/recall.ts';
import { printTable } from '../bench/recall/table.ts';
import { colleaguesPrompts } from './colleagues-prompts.ts';
import { freightGarden, questions } from './freight.ts';
import { NOW, shippedGardens } from './shipped.ts';

interface Question {
  readonly garden: RecallGarden;
  readonly query: Int8Array | null;
  readonly intent: string;
  readonly wanted: readonly string[];
}

const SHARES = [undefined, 90, 85, 80, 75, 70];

test('a close second page: right at once, answers with two pages, tokens of texts', async () => {
  const shipped = await shippedGardens();
  const ask = async ({ garden, queries }: (typeof shipped)[number], intent: string, wanted: readonly string[]) => ({
    ...{ garden: garden.recall, query: await queries(intent, garden.recall.index), intent, wanted },
  });
  const probes = shipped.flatMap((of) => of.probes.map(({ intent, required }) => ask(of, intent, required)));
  const colleagues = colleaguesPrompts().flatMap(({ agent, prompt, wants }) => {
    const of = shipped.find((it) => it.agent === agent);
    return of && wants.length > 0 ? [ask(of, prompt, wants)] : [];
  });
  const ofProbes = rowsOf('shipped probes', await Promise.all(probes));
  printTable(
    'A close second',
    ['set', 'share', 'right at once', 'or by name', 'two pages', 'tokens'],
    [
      ...ofProbes,
      ...rowsOf('prompts of colleagues', await Promise.all(colleagues)),
      ...rowsOf('freight, three triggers', await freightQuestions(false)),
      ...rowsOf('freight, eight phrases', await freightQuestions(true)),
    ],
  );
  const [, , right = 0, orByName = 0] = (ofProbes.find(([, share]) => share === '.75') ?? []).map(Number);
  expect(right).toBeGreaterThanOrEqual(0.95);
  expect(orByName).toBeGreaterThanOrEqual(0.99);
});

async function freightQuestions(isBriefed: boolean): Promise<Question[]> {
  const { garden, queries } = await freightGarden(isBriefed);
  const asked = questions().map(async ({ ask: intent, unit }) => ({
    ...{ garden, query: await queries(intent, garden.index), intent, wanted: [unit] },
  }));
  return Promise.all(asked);
}

function rowsOf(set: string, asked: readonly Question[]): string[][] {
  const mean = (of: readonly number[]) => of.reduce((all, it) => all + it, 0) / of.length;
  return SHARES.map((near_share) => {
    const answers = asked.map(({ garden, query, intent, wanted }) => {
      const request = RecallRequest.parse({ intent, max_chunks: 1, candidates: 12 });
      const given = recall(
        garden,
        { ...request, ...(near_share && { near_share }) },
        { now: NOW, query, explain: true },
      );
      const pages = given.explain?.units.filter(({ outcome }) => outcome === 'ranked') ?? [];
      const names = given.candidates?.map(({ name }) => name) ?? [];
      const right = given.chunks.some(({ name }) => wanted.includes(name));
      return {
        right,
        named: right || wanted.some((it) => names.includes(it)),
        two: pages.length > 1,
        tokens: given.total_tokens,
      };
    });
    const share = (of: (it: (typeof answers)[number]) => boolean) =>
      mean(answers.map((it) => Number(of(it)))).toFixed(3);
    return [
      ...[set, near_share === undefined ? 'one page' : `.${near_share}`, share((it) => it.right)],
      ...[share((it) => it.named), share((it) => it.two), mean(answers.map(({ tokens }) => tokens)).toFixed(0)],
    ];
  });
}
