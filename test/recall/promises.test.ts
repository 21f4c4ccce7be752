import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { question } from './arbitraries.ts';
import { ask, FUTURE, plant, type Planted } from './garden.ts';

type Asked = ReturnType<typeof ask>;
type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never;

/** Holds for whatever garden is asked whatever. */
function always(title: string, holds: (answer: Asked, asked: Question) => void): void {
  test(title, async () => {
    await fc.assert(
      fc.asyncProperty(question, async (asked) => {
        holds(ask(await plant(asked.units), asked.intent, asked.limits), asked);
      }),
      { numRuns: 300 },
    );
  });
}

const inForce = (unit: Planted) => unit.content !== '' && (unit.validUntil == null || unit.validUntil === FUTURE);
const servable = (unit: Planted) => inForce(unit) || unit.fallback != null;
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
const named = (units: readonly Planted[], name: string) => units.find((it) => it.name === name);

describe('§21.3.4 the same question has the same answer', () => {
  test('asked twice, and of an index built twice', async () => {
    await fc.assert(
      fc.asyncProperty(question, async ({ units, intent, limits }) => {
        const first = JSON.stringify(ask(await plant(units), intent, limits));
        expect(JSON.stringify(ask(await plant([...units].reverse()), intent, limits))).toBe(first);
      }),
      { numRuns: 100 },
    );
  });
});

describe('§21.3.3 hints', () => {
  always(
    'all come, before anything ranked, in the order given, after what is prepended',
    ({ names }, { units, limits }) => {
      const prepended = units.filter((it) => it.guaranteed === true && it.prepend === true).map((it) => it.name);
      const looked = limits.manifest_hint.slice(0, 10);
      const hinted = looked.filter((name) => units.some((it) => it.name === name && servable(it)));
      const rest = names.filter((name) => !prepended.includes(name));
      const expected = hinted.filter((name) => !prepended.includes(name));
      expect(rest.slice(0, expected.length)).toEqual(expected);
    },
  );

  always(
    'that name nothing to serve, or stand beyond the tenth, are missed_hints, and no others',
    ({ missed_hints, units: explained }, { units, limits }) => {
      const known = units.filter(servable).map((it) => it.name);
      const hinted = explained.filter((it) => it.outcome === 'hint').map((it) => it.name);
      expect(hinted.sort()).toEqual(
        limits.manifest_hint
          .slice(0, 10)
          .filter((it) => known.includes(it))
          .sort(),
      );
      expect(missed_hints).toEqual(limits.manifest_hint.filter((it, at) => at >= 10 || !known.includes(it)));
    },
  );
});

describe('§21.3.3 guaranteed units', () => {
  always('always come, whatever the budget', ({ names }, { units }) => {
    const guaranteed = units.filter((it) => it.guaranteed === true && servable(it)).map((it) => it.name);
    expect(names).toEqual(expect.arrayContaining(guaranteed));
  });

  always('that are prepended stand before everything else', ({ names }, { units }) => {
    const prepended = units.filter((it) => it.guaranteed === true && it.prepend === true && servable(it));
    expect(new Set(names.slice(0, prepended.length))).toEqual(new Set(prepended.map((it) => it.name)));
  });

  always('that are neither prepended nor hinted come after everything else, by name', ({ names, units }, asked) => {
    const prepended = asked.units.filter((it) => it.prepend === true).map((it) => it.name);
    const last = units.filter((it) => it.outcome === 'guaranteed' && !prepended.includes(it.name)).map((it) => it.name);
    expect(names.slice(names.length - last.length)).toEqual(last.sort());
  });

  always('that are hinted stand where the hint put them, unless they are prepended', ({ names }, { units, limits }) => {
    const prepended = units.filter((it) => it.guaranteed === true && it.prepend === true).map((it) => it.name);
    const came = limits.manifest_hint.slice(0, 10).filter((it) => names.includes(it) && !prepended.includes(it));
    const before = names.filter((it) => prepended.includes(it)).length;
    expect(came.length === 0 ? [] : names.slice(before, before + came.length)).toEqual(came);
  });

  test('use up no place of what is ranked: the same ranked units come as if they did not rank at all', async () => {
    await fc.assert(
      fc.asyncProperty(question, async ({ units, intent, limits: { max_chunks } }) => {
        const limits = { max_chunks, token_budget: 100_000 };
        const answer = ask(await plant(units), intent, limits);
        const owed = units.filter((it) => it.guaranteed === true).map((it) => it.name);
        const others = answer.ranking.filter((name) => !owed.includes(name));
        const ranked = answer.units.filter((it) => it.outcome === 'ranked').sort((a, b) => a.rank! - b.rank!);
        expect(ranked.map((it) => it.name)).toEqual(others.slice(0, max_chunks));
      }),
      { numRuns: 300 },
    );
  });
});

describe('DESIGN §6.6 an answer', () => {
  always('has each unit once', ({ names }) => {
    expect(new Set(names).size).toBe(names.length);
  });

  always('has exactly the units that explain says came', ({ names, units }) => {
    const came = units.filter((it) => ['hint', 'ranked', 'guaranteed'].includes(it.outcome)).map((it) => it.name);
    expect([...names].sort()).toEqual(came.sort());
  });

  always('is explained place by place: hints, then ranked, then guaranteed', ({ names, units }) => {
    const placed = units.filter((it) => it.place !== null).sort((a, b) => (a.place ?? 0) - (b.place ?? 0));
    expect(placed.map((it) => it.name)).toEqual(names);
    expect(placed.map((it) => it.place)).toEqual(names.map((_, at) => at + 1));
  });

  always('adds up: total_tokens is the sum of its chunks', ({ chunks, total_tokens }) => {
    expect(total_tokens).toBe(sum(chunks.map((it) => it.tokens)));
  });

  always('is truncated exactly when a ranked unit was skipped for its tokens', ({ truncated, units }) => {
    expect(truncated).toBe(units.some((it) => it.outcome === 'over_token_budget'));
  });

  always('names everything that matched and was left out', ({ left_out, units }) => {
    const out = units.filter((it) =>
      ['over_token_budget', 'over_max_chunks', 'expired', 'unavailable'].includes(it.outcome),
    );
    expect(left_out).toEqual(out.map(({ name, outcome }) => ({ name, outcome })));
  });

  always('cuts nothing: a chunk is the whole fact, or the whole legacy file', ({ chunks }, { units }) => {
    for (const { name, content, source } of chunks) {
      const unit = named(units, name);
      expect([source, content]).toEqual(
        unit && inForce(unit) ? ['stigmem', unit.content] : ['fallback_path', unit?.fallback],
      );
    }
  });
});

describe('DESIGN §6.6 the token budget is soft', () => {
  always(
    'the best ranked unit comes while there is a slot',
    ({ units: explained, names, ranking }, { limits, units }) => {
      const hinted = explained.filter((it) => it.outcome === 'hint').map((it) => it.name);
      const [best] = ranking.filter((name) => !hinted.includes(name) && named(units, name)?.guaranteed !== true);
      if (best !== undefined && limits.max_chunks > hinted.length) expect(names).toContain(best);
    },
  );

  always('the others come if they fit beside what came before them', ({ explain, units }) => {
    const budget = explain?.ranked_budget ?? 0;
    const ranked = units.filter((it) => it.outcome === 'ranked');
    const before = (rank: number | null) =>
      sum(ranked.filter((it) => (it.rank ?? 0) < (rank ?? 0)).map((it) => it.tokens));
    const isFirst = (rank: number | null) => !ranked.some((it) => (it.rank ?? 0) < (rank ?? 0));
    for (const { rank, tokens } of ranked)
      if (!isFirst(rank)) expect(before(rank) + tokens).toBeLessThanOrEqual(budget);
    for (const { rank, tokens } of units.filter((it) => it.outcome === 'over_token_budget')) {
      expect(before(rank) + tokens).toBeGreaterThan(budget);
    }
  });

  always('what is left for ranked units is the budget less hints and guaranteed', ({ explain, units }, { limits }) => {
    const first = units.filter((it) => it.outcome === 'hint' || it.outcome === 'guaranteed').map((it) => it.tokens);
    expect(explain?.ranked_budget).toBe(limits.token_budget - sum(first));
  });
});

describe('DESIGN §6.6 a unit that is not in force', () => {
  always(
    'is never ranked and is named, unless a legacy file stands in for it',
    ({ names, ranking, left_out }, { units }) => {
      for (const unit of units.filter((it) => !servable(it))) {
        expect([...names, ...ranking]).not.toContain(unit.name);
        expect(left_out).toContainEqual({ name: unit.name, outcome: unit.content === '' ? 'unavailable' : 'expired' });
      }
    },
  );
});
