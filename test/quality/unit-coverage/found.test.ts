import { describe, expect, test } from 'vitest';
import { measureCoverage } from '../../../compiler/quality/unit-coverage/coverage.ts';
import type { TextKind } from '../../../compiler/recall/signals/semantic.ts';
import { passes } from '../../../compiler/schema/bundle/coverage.ts';
import type { Lexicon } from '../../../compiler/schema/source/lexicon.ts';
import { gardenOf } from '../../bench/coverage/coverage-garden.ts';
import type { Texts } from '../../bench/recall/units.ts';
import { ruleOf, textRules, unitCoverage } from '../../support/unit-coverage.ts';

const NOW = '2026-06-01T00:00:00Z';
/** Without synonyms: paraphrases keep their words, so that it is known what they find. */
const lexicon: Lexicon = {
  format: 1,
  synsets: {},
  groups: { noun: {}, verb: {}, adjective: {}, adverb: {} },
  frames: [],
  swaps: [],
};

const text = (name: string, over: Partial<Texts> = {}): Texts => ({
  name,
  description: 'Onboard an engineer',
  intents: ['onboard the engineer'],
  content: 'First a laptop, then an account, and a guide.\n',
  ...over,
});

async function judged(units: readonly Texts[], name: string, tokens: Readonly<Record<string, number>> = {}) {
  const built = await gardenOf(units, null);
  const facts = built.facts.map((it) => ({ ...it, tokens: tokens[it.name] ?? it.tokens }));
  const asked = units.filter((it) => it.name === name);
  const ports = { encode: null, lexicon };
  const { units: found, diversity } = await measureCoverage({ ...built, facts }, asked, ports, NOW);
  return { ...found[0]!, diversity };
}

/** A unit after as many others that say the same, so that its rank is known: ties are broken by name. */
const after = (count: number, name = 'z') =>
  judged([...Array.from({ length: count }, (_, at) => text(`a${String(at).padStart(2, '0')}`)), text(name)], name);

describe('§21.8.3: when a paraphrase has found its unit', () => {
  test.each([
    [0, 1, 1],
    [2, 1, 1],
    [3, 0, 1],
    [9, 0, 1],
    [10, 0, 0],
  ])('after %i others it is among the first three: %i; among the first ten: %i', async (count, coverage, hit) => {
    expect(await after(count)).toMatchObject({ paraphrases: 5, coverage_pct: coverage, hit_at_10: hit });
  });

  test('a unit at the fourth rank is missed even where one above it is too long to be selected', async () => {
    const units = ['a', 'b', 'c', 'z'].map((name) => text(name));
    expect(await judged(units, 'z', { b: 1_000_000 })).toMatchObject({ found: 0, hit_at_10: 1 });
  });

  test('a miss names the trigger, the paraphrase, the rank, and the first three units above', async () => {
    const { misses, found } = await after(4);
    expect(found).toBe(0);
    expect(misses).toHaveLength(5);
    for (const it of misses)
      expect(it).toMatchObject({ intent: 'onboard the engineer', rank: 5, outranked_by: ['a00', 'a01', 'a02'] });
    expect(new Set(misses.map((it) => it.paraphrase)).size).toBe(5);
  });

  test('at most ten misses are reported, and all are counted', async () => {
    const intents = ['onboard the engineer', 'engineer onboarding today', 'onboard tomorrow with engineers'];
    const others = Array.from({ length: 4 }, (_, at) => text(`a${at}`, { intents }));
    const result = await judged([...others, text('z', { intents })], 'z');
    expect([result.found, result.misses.length]).toEqual([0, 10]);
    expect(result.paraphrases).toBeGreaterThan(10);
  });

  test('only a unit that fails or is hard to find is told words that would help', async () => {
    expect((await after(0)).suggested_words).toEqual([]);
    const own = text('z', { description: 'Welcome a newcomer' });
    const others = Array.from({ length: 3 }, (_, at) => text(`a${at}`));
    expect((await judged([...others, own], 'z')).suggested_words).toEqual(
      expect.arrayContaining(['welcome', 'newcomer']),
    );
  });

  test.each([
    [0.8, true],
    [0.7999, false],
  ])('a share of %d passes: %s', (coverage_pct, expected) => {
    expect(passes(unitCoverage('z', { coverage_pct }))).toBe(expected);
  });

  test('a unit that is always found does not pass where a text rule stops it', () => {
    const text_rules = textRules({ coverage_repetition: { failed: 1, blocks: true } });
    expect(passes(unitCoverage('z', { text_rules }))).toBe(false);
    const failed = textRules({ coverage_repetition: { failed: 1 } });
    expect(passes(unitCoverage('z', { text_rules: failed }))).toBe(true);
  });

  test('paraphrases are as different from each other as is measured of them', async () => {
    const { diversity } = await after(0);
    expect(diversity.words).toBeGreaterThan(0);
    expect(diversity.syntax).toBeGreaterThan(0);
  });
});

describe('§21.8.3: a unit’s own text has to be among twenty', () => {
  const poet = { name: 'poet', description: 'Verses', intents: ['zebra ladder'], content: 'Iambic.\n' };
  const crowd = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      name: `unit-${String(at).padStart(2, '0')}`,
      description: `Number ${at}`,
      intents: [],
      content: `${'A ladder. '.repeat(at + 1)}\n`,
    }));

  test('with nineteen better texts a trigger still counts, with twenty it does not', async () => {
    const near = await judged([...crowd(19), poet], 'poet');
    expect([near.coverage_pct, ruleOf(near, 'coverage_own_text').failed, passes(near)]).toEqual([1, 0, true]);
    const far = await judged([...crowd(20), poet], 'poet');
    const { failed, blocks, triggers, examples } = ruleOf(far, 'coverage_own_text');
    expect([far.coverage_pct, far.misses, far.counted.found]).toEqual([1, [], 0]);
    expect([failed, blocks, triggers, passes(far)]).toEqual([5, true, poet.intents, false]);
    for (const { rank, outranked_by } of examples) expect([rank, outranked_by.length]).toEqual([1, 3]);
  });
});

describe('§21.8.3: triggers that repeat the content', () => {
  const own = ['onboard the engineer', 'a newcomer arrives', 'welcome somebody'];
  const repeated = ['laptop account', 'account guide', 'laptop guide', 'guide first account'];
  const of = (...intents: string[]) => judged([text('a', { intents })], 'a');

  test('all are asked, and those that repeat do not count while they are at most half of them', async () => {
    const result = await of(...own.slice(0, 2), ...repeated.slice(0, 2));
    expect(result).toMatchObject({ paraphrases: 20, coverage_pct: 1, counted: { paraphrases: 10, found: 10 } });
    const { failed, blocks, triggers } = ruleOf(result, 'coverage_repetition');
    expect([failed, blocks, triggers, passes(result)]).toEqual([10, false, repeated.slice(0, 2), true]);
  });

  test('where they are most, they count as not found, whatever they find', async () => {
    const result = await of(...own.slice(0, 2), ...repeated.slice(0, 3));
    expect(result).toMatchObject({ paraphrases: 25, found: 25, counted: { paraphrases: 25, found: 10 } });
    const { failed, blocks, triggers } = ruleOf(result, 'coverage_repetition');
    expect([failed, blocks, triggers, passes(result)]).toEqual([15, true, repeated.slice(0, 3), false]);
  });
});

describe('§21.8.3: what the encoder is asked', () => {
  test('triggers and paraphrases are queries, and nothing is one where the index has no vectors', async () => {
    const roles: TextKind[] = [];
    const encoder = {
      dims: 2,
      encode: (texts: readonly string[], role: TextKind) => {
        roles.push(role);
        return Promise.resolve(texts.map((it) => Float32Array.of(it.length % 3, 1)));
      },
    };
    const units = [text('a'), text('b', { description: 'Book trains', intents: ['book a train'], content: 'Go.\n' })];
    const measure = async (built: typeof encoder | null) => {
      const garden = await gardenOf(units, built);
      roles.length = 0;
      await measureCoverage(garden, units, { encode: encoder, lexicon }, NOW);
      return roles.map(String);
    };
    expect(await measure(null)).toEqual([]);
    expect([...new Set(await measure(encoder))].sort()).toEqual(['passage', 'query']);
    expect(roles.filter((it) => it === 'query')).toHaveLength(2);
  });
});
