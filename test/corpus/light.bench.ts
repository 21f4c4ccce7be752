import { test } from 'vitest';
import { countTokens } from '../../compiler/io/models/tokens.ts';
import { recall } from '../../compiler/recall/recall.ts';
import { ComputedRecall } from '../../compiler/schema/api/recall.ts';
import { recallText } from '../../server/mcp/recall-text.ts';
import { NOW, shippedGardens } from './shipped.ts';

test('what an answer to an agent costs over its texts, of the shipped probes', async () => {
  const all: { readonly how: string; readonly over: number; readonly whole: number; readonly told: boolean }[] = [];
  for (const { garden, queries, probes } of await shippedGardens()) {
    const always = new Set(garden.recall.guaranteed.map((it) => garden.recall.facts[it]?.name ?? ''));
    for (const { intent, required } of probes) {
      const [name = ''] = required;
      const asked = { 'by intent': { intent, candidates: 8 }, 'by name': { intent: name, manifest_hint: [name] } };
      for (const [how, given] of Object.entries(asked)) {
        const request = ComputedRecall.parse({ ...given, max_chunks: 1, near_share: 75 });
        const query = await queries(request.intent, garden.recall.index);
        const response = recall(garden.recall, request, { now: NOW, query, explain: false });
        const text = recallText(response, { always, isNamed: how === 'by name', isFollowing: false });
        const whole = countTokens(text);
        const texts = response.chunks.reduce((sum, { content }) => sum + countTokens(content), 0);
        all.push({ how, whole, over: whole - texts, told: required.every((it) => text.includes(it)) });
      }
    }
  }
  for (const how of ['by intent', 'by name']) {
    const own = all.filter((it) => it.how === how);
    const mean = (of: (it: (typeof own)[number]) => number) => own.reduce((sum, it) => sum + of(it), 0) / own.length;
    const [over, whole, told] = [mean((it) => it.over), mean((it) => it.whole), mean((it) => Number(it.told))];
    process.stdout.write(
      `  ${how}: ${whole.toFixed(0)} tokens, ${over.toFixed(0)} over the texts; as text or name ${told.toFixed(3)}\n`,
    );
  }
});
