import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { question } from './arbitraries.ts';
import { ask, FUTURE, plant, type Planted } from './garden.ts';

type Answer = ReturnType<typeof ask>;
type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never;

const answers = new Map<string, Promise<Answer>>();

/** The properties ask the same questions, since their seed is the same; each is answered once. */
function answered(asked: Question): Promise<Answer> {
  const key = fc.stringify(asked);
  const answer = answers.get(key) ?? plant(asked.units).then((garden) => ask(garden, asked.intent, asked.limits));
  answers.set(key, answer);
  return answer;
}

/** Holds for whatever garden is asked whatever. */
function always(title: string, holds: (answer: Answer, asked: Question) => void): void {
  test(title, async () => {
    await fc.assert(
      fc.asyncProperty(question, async (asked) => {
        holds(await answered(asked), asked);
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
  test('the same question has the same answer, in any order of the units in the index', async () => {
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
    'hinted units come in the order of the hints, after prepended units and before all others',
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
    'exactly the hints that name no available unit, or come after the tenth, are missed_hints',
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
  always('guaranteed units come with any budget', ({ names }, { units }) => {
    const guaranteed = units.filter((it) => it.guaranteed === true && servable(it)).map((it) => it.name);
    expect(names).toEqual(expect.arrayContaining(guaranteed));
  });

  always('prepended guaranteed units stand before all others', ({ names }, { units }) => {
    const prepended = units.filter((it) => it.guaranteed === true && it.prepend === true && servable(it));
    expect(new Set(names.slice(0, prepended.length))).toEqual(new Set(prepended.map((it) => it.name)));
  });

  always('guaranteed units that are neither prepended nor hinted come last, by name', ({ names, units }, asked) => {
    const prepended = asked.units.filter((it) => it.prepend === true).map((it) => it.name);
    const last = units.filter((it) => it.outcome === 'guaranteed' && !prepended.includes(it.name)).map((it) => it.name);
    expect(names.slice(names.length - last.length)).toEqual(last.sort());
  });

  always(
    'hinted guaranteed units stand in the places of their hints, unless they are prepended',
    ({ names }, { units, limits }) => {
      const prepended = units.filter((it) => it.guaranteed === true && it.prepend === true).map((it) => it.name);
      const came = limits.manifest_hint.slice(0, 10).filter((it) => names.includes(it) && !prepended.includes(it));
      const before = names.filter((it) => prepended.includes(it)).length;
      expect(came.length === 0 ? [] : names.slice(before, before + came.length)).toEqual(came);
    },
  );

  test('guaranteed units take no place of ranked units', async () => {
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
  always('an answer has each unit once', ({ names }) => {
    expect(new Set(names).size).toBe(names.length);
  });

  always('an answer has exactly the units that explain lists as recalled', ({ names, units }) => {
    const came = units.filter((it) => ['hint', 'ranked', 'guaranteed'].includes(it.outcome)).map((it) => it.name);
    expect([...names].sort()).toEqual(came.sort());
  });

  always('explain gives each chunk its place', ({ names, units }) => {
    const placed = units.filter((it) => it.place !== null).sort((a, b) => (a.place ?? 0) - (b.place ?? 0));
    expect(placed.map((it) => it.name)).toEqual(names);
    expect(placed.map((it) => it.place)).toEqual(names.map((_, at) => at + 1));
  });

  always('total_tokens is the sum of the tokens of all chunks', ({ chunks, total_tokens }) => {
    expect(total_tokens).toBe(sum(chunks.map((it) => it.tokens)));
  });

  always(
    'an answer is truncated if a ranked unit was over the token budget, and otherwise not',
    ({ truncated, units }) => {
      expect(truncated).toBe(units.some((it) => it.outcome === 'over_token_budget'));
    },
  );

  always('left_out has every unit that matched and did not come', ({ left_out, units }) => {
    const out = units.filter((it) =>
      ['over_token_budget', 'over_max_chunks', 'expired', 'unavailable'].includes(it.outcome),
    );
    expect(left_out).toEqual(out.map(({ name, outcome }) => ({ name, outcome })));
  });

  always('a chunk is a whole fact or a whole legacy file', ({ chunks }, { units }) => {
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
    'the best ranked unit comes if max_chunks leaves a place for it',
    ({ units: explained, names, ranking }, { limits, units }) => {
      const hinted = explained.filter((it) => it.outcome === 'hint').map((it) => it.name);
      const [best] = ranking.filter((name) => !hinted.includes(name) && named(units, name)?.guaranteed !== true);
      if (best !== undefined && limits.max_chunks > hinted.length) expect(names).toContain(best);
    },
  );

  always('another ranked unit comes if it fits into the budget after those ranked before it', ({ explain, units }) => {
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

  always(
    'the budget for ranked units is the token budget less hinted and guaranteed units',
    ({ explain, units }, { limits }) => {
      const first = units.filter((it) => it.outcome === 'hint' || it.outcome === 'guaranteed').map((it) => it.tokens);
      expect(explain?.ranked_budget).toBe(limits.token_budget - sum(first));
    },
  );
});

describe('DESIGN §6.6 a unit that is not in force', () => {
  always(
    'a unit that is not in force is left out with the reason, unless it has a legacy file',
    ({ names, ranking, left_out }, { units }) => {
      for (const unit of units.filter((it) => !servable(it))) {
        expect([...names, ...ranking]).not.toContain(unit.name);
        expect(left_out).toContainEqual({ name: unit.name, outcome: unit.content === '' ? 'unavailable' : 'expired' });
      }
    },
  );
});
