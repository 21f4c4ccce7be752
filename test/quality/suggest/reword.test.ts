import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cachedEncoder, previewOf } from '../../../compiler/app/suggest/preview.ts';
import { isNearCopy, stemsIn } from '../../../compiler/quality/near-copy.ts';
import { stemsOf } from '../../../compiler/quality/paraphrase/stems.ts';
import { runProbes, summarise } from '../../../compiler/quality/probes.ts';
import {
  lostProbes,
  reword,
  type PreviewGarden,
  type RewordOptions,
  type Rewordings,
} from '../../../compiler/quality/suggest/reword.ts';
import { wordingsOf } from '../../../compiler/quality/suggest/wording.ts';
import type { Suggestion } from '../../../compiler/schema/report/suggestion.ts';
import type { Probe } from '../../../compiler/schema/source/probe.ts';
import { Delivery, type Unit } from '../../../compiler/schema/source/unit.ts';
import { encoder, NOW, UNITS } from '../garden.ts';

const once = cachedEncoder(encoder);
const inputs = { deployment: 'acme', folder: 'instructions', encoder: once, countTokens: () => 50 };

const units = UNITS.map(({ name, description, intents, content }): Unit => ({
  ...{ name, content, garden: 'office', file: `instructions/agents/office/${name}.md` },
  delivery: Delivery.parse({ description, load_triggers: { intents } }),
  headings: [name],
  links: [],
  unclosed: [],
  at: () => ({ line: 1, column: 1 }),
}));

const probe = (intent: string, ...required: string[]): Probe => ({ intent, required, forbidden: [] });
const preview = (...probes: Probe[]): PreviewGarden => previewOf(units, inputs, probes, NOW);
const options: RewordOptions = { k: 1, now: NOW, others: [], isShared: () => false };
const search = async (it: PreviewGarden, over: Partial<RewordOptions> = {}) =>
  reword(it, await lostProbes(it, options), { ...options, ...over });

const together = (suggestions: readonly Suggestion[]): Rewordings =>
  new Map(
    suggestions.map(({ unit }) => {
      const own = suggestions.filter((it) => it.unit === unit);
      const words = (key: 'intents' | 'keywords' | 'aliases') => own.flatMap((it) => it[key]);
      return [unit, { intents: words('intents'), keywords: words('keywords'), aliases: words('aliases') }];
    }),
  );

const KETTLE = probe('who pays for the broken kettle in the kitchen', 'refunds');

describe('issue 7: words that win a lost probe', () => {
  test('the suggested words make a lost probe find its unit, with as few words as possible', async () => {
    const { suggestions, unsolved, won } = await search(preview(KETTLE));
    expect([unsolved, won]).toEqual([[], [KETTLE.intent]]);
    expect(suggestions).toMatchObject([{ unit: 'refunds', probe: KETTLE.intent, rank_after: 1 }]);
    const [first] = suggestions;
    const words = [...(first?.intents ?? []), ...(first?.keywords ?? [])].join(' ').split(' ');
    expect(words).toHaveLength(2);
  });

  test('words that would lose another probe are not suggested, and their costs are reported', async () => {
    const rest = ['kettle', 'kitchen', 'broken', 'pays'].map((word) => probe(`${word} and nothing else`, 'travel'));
    const garden = await preview(...rest).build(
      new Map([['travel', { intents: [], keywords: ['kettle', 'kitchen', 'broken', 'pays'], aliases: [] }]]),
    );
    const changed = garden.facts.map((fact) => ({
      ...units.find((it) => it.name === fact.name)!,
      delivery: fact.delivery,
    }));
    const crowded = previewOf(changed, inputs, [KETTLE, ...rest], NOW);
    const before = await crowded.build(new Map());
    const passed = (await runProbes(before, crowded.probes, crowded.queryOf(before), NOW)).length;
    expect(passed).toBe(5);
    const found = await search(crowded);
    const after = await crowded.build(together(found.suggestions));
    const results = await runProbes(after, rest, crowded.queryOf(after), NOW);
    expect(summarise(results, 1, 8).passed).toBe(4);
    for (const it of found.unsolved) if (it.reason === 'others_lost') expect(it.costs).not.toEqual([]);
  });

  test('words for a shared unit lose no probe of other agents', async () => {
    const mine = preview(KETTLE);
    const other = previewOf(units, inputs, [probe(KETTLE.intent, 'travel'), probe('kettle', 'travel')], NOW);
    const unchanged = await other.build(new Map());
    const results = await runProbes(unchanged, other.probes, other.queryOf(unchanged), NOW);
    const { suggestions } = await search(mine, { others: [other], isShared: () => true });
    expect(suggestions.every((it) => it.shared)).toBe(true);
    const after = await other.build(together(suggestions));
    const then = await runProbes(after, other.probes, other.queryOf(after), NOW);
    const lost = results.filter((it, i) => it.required[0]?.rank === 1 && then[i]?.required[0]?.rank !== 1);
    expect(lost).toEqual([]);
  });

  test('a probe of two units counts as won only if both are found', async () => {
    const both = probe('the kettle was committed to git while on a train', 'secrets', 'travel');
    const found = await search(preview(both), { k: 2 });
    const rebuilt = await preview(both).build(together(found.suggestions));
    const [result] = await runProbes(rebuilt, [both], preview(both).queryOf(rebuilt), NOW);
    const isFound = result?.required.every((it) => it.rank !== null && it.rank <= 2);
    expect(isFound).toBe(found.unsolved.length === 0);
  });

  test('all suggestions together win the reported probes, and lose no probe and no unit at the gate', async () => {
    const words = UNITS.flatMap((it) => it.content.match(/[a-z]{5,}/g) ?? []);
    const any = fc.tuple(fc.shuffledSubarray(words, { minLength: 3, maxLength: 6 }), fc.constantFrom(...UNITS));
    await fc.assert(
      fc.asyncProperty(fc.array(any, { minLength: 2, maxLength: 3 }), async (drawn) => {
        const probes = drawn.map(([chosen, unit]) => probe(chosen.join(' '), unit.name));
        const it = preview(...new Map(probes.map((one) => [one.intent, one])).values());
        const before = await it.build(new Map());
        const was = await runProbes(before, it.probes, it.queryOf(before), NOW);
        const { suggestions, won } = await search(it);
        const after = await it.build(together(suggestions));
        const is = await runProbes(after, it.probes, it.queryOf(after), NOW);
        const first = (results: typeof is) =>
          results.filter((one) => one.required[0]?.rank === 1).map((one) => one.intent);
        expect(first(is).sort()).toEqual([...new Set([...first(was), ...won])].sort());
        expect(await it.refused(after)).toEqual(await it.refused(before));
      }),
      { numRuns: 4 },
    );
  });
});

describe('what a unit might be given', () => {
  test('proposed wordings use the intent’s own words, within one clause, and never the whole intent', async () => {
    const garden = await preview().build(new Map());
    const intent = 'Somebody overspent the off-site budget, cut the coffee order';
    const wordings = wordingsOf(garden, 'refunds', intent);
    const sizes = wordings.map((it) => it.keywords.length + it.intents.length * 2 + it.aliases.length * 9);
    expect(sizes.length).toBeGreaterThan(10);
    for (const { intents, keywords, aliases } of wordings) {
      for (const text of [...intents, ...keywords, ...aliases]) {
        expect(stemsOf(text)).not.toBe(stemsOf(intent));
        expect(intent.toLowerCase()).toContain(text);
        // one clause at a time
        expect(text).not.toContain(',');
      }
    }
    expect(wordings.at(-1)).toEqual({ intents: [], keywords: [], aliases: ['off-site'] });
    expect(wordings[0]?.keywords).toHaveLength(1);
  });

  test('phrases that nearly copy the intent come after all other phrases and keywords: the probe no longer counts then', async () => {
    const garden = await preview().build(new Map());
    const intent = 'somebody demands compensation for the broken kettle';
    const isCopy = wordingsOf(garden, 'refunds', intent).map(({ intents }) =>
      intents.some((it) => isNearCopy(stemsIn(it), stemsIn(intent))),
    );
    expect(isCopy).toContain(true);
    expect(isCopy).toEqual([...isCopy].sort((a, b) => Number(a) - Number(b)));
  });

  test('proposed wordings repeat no trigger of the unit or of another unit', async () => {
    const garden = await preview().build(new Map());
    const wordings = wordingsOf(garden, 'refunds', 'Refund now: hire a new engineer for the money');
    expect(wordings.flatMap((it) => it.keywords)).not.toContain('money');
    expect(wordings.flatMap((it) => it.intents)).not.toContain('hire a new engineer');
  });
});
