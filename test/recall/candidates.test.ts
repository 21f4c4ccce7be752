import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { candidateText } from '../../compiler/recall/candidates.ts';
import { withoutWithdrawn } from '../../compiler/recall/recall-garden.ts';
import { question } from './arbitraries.ts';
import { ask, FUTURE, PAST, plant } from './garden.ts';

const asked = fc.tuple(
  question,
  fc.record({
    candidates: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 50 })),
    candidates_budget: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 10_000 })),
  }),
);

type Answer = ReturnType<typeof ask>;

/** Properties of the answer to any question that asks for candidates. */
function always(
  what: string,
  holds: (answer: Answer, wanted: { candidates: number; candidates_budget: number }, without: Answer) => void,
): void {
  test(what, async () => {
    await fc.assert(
      fc.asyncProperty(asked, async ([{ units, intent, limits }, wanted]) => {
        const garden = await plant(units);
        holds(ask(garden, intent, { ...limits, ...wanted }), wanted, ask(garden, intent, limits));
      }),
      { numRuns: 300 },
    );
  });
}

const named = ({ candidates = [] }: Answer) => candidates.map((it) => it.name);
/** A token a character, as `plant` counts. */
const costOf = ({ candidates = [] }: Answer) => candidates.reduce((all, it) => all + candidateText(it).length, 0);

describe('the candidates of an answer', () => {
  always('no candidate is among the chunks', (answer) => {
    expect(named(answer).filter((name) => answer.names.includes(name))).toEqual([]);
  });

  always('candidates are the next best units, in the order of their ranks', (answer) => {
    const next = answer.ranking.filter((name) => !answer.names.includes(name));
    expect(named(answer)).toEqual(next.slice(0, named(answer).length));
  });

  always('candidates never cost more than their budget, and are cut from the end with a count', (answer, wanted) => {
    const next = answer.ranking.filter((name) => !answer.names.includes(name)).slice(0, wanted.candidates);
    expect(costOf(answer)).toBeLessThanOrEqual(wanted.candidates_budget);
    expect(named(answer).length + (answer.more_candidates ?? 0)).toBe(next.length);
  });

  always('a candidate has exactly a name and a description', ({ candidates }) => {
    for (const it of candidates ?? []) expect(Object.keys(it)).toEqual(['name', 'description']);
  });

  always('candidates change nothing else of an answer but what explain says of them', (answer, _, without) => {
    const { chunks, left_out, truncated, warnings, missed_hints, total_tokens, ranking } = without;
    expect(answer).toMatchObject({ chunks, left_out, truncated, warnings, missed_hints, total_tokens, ranking });
    const shown = new Set(named(answer));
    expect(answer.units).toEqual(
      without.units.map((it) => (shown.has(it.name) ? { ...it, outcome: 'candidate' } : it)),
    );
  });

  always('explain gives a candidate its rank and no place', (answer) => {
    const shown = answer.units.filter((it) => it.outcome === 'candidate').sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
    expect(shown.map((it) => it.name)).toEqual(named(answer));
    expect(shown.every((it) => it.rank !== null && it.place === null)).toBe(true);
  });

  test('the same question has the same candidates, whatever it follows', async () => {
    await fc.assert(
      fc.asyncProperty(asked, async ([{ units, intent, limits }, wanted]) => {
        const [one, other] = [await plant(units), await plant([...units].reverse())];
        const request = { ...limits, ...wanted };
        const { candidates, more_candidates } = ask(one, intent, request);
        expect(ask(other, intent, { ...request, follows: 'audi_1' })).toMatchObject({ candidates, more_candidates });
      }),
      { numRuns: 100 },
    );
  });
});

const OFFICE = [
  { name: 'alarm', content: 'fire fire\n' },
  { name: 'backup', content: 'fire disk\n', description: 'What to do when a disk fails' },
  { name: 'crew', content: 'fire people at the door\n' },
  { name: 'gone', content: 'fire\n', validUntil: PAST },
  { name: 'limits', content: 'fire never\n', guaranteed: true },
  { name: 'old', content: '', fallback: 'fire of old\n' },
  { name: 'soon', content: 'fire ends\n', validUntil: FUTURE },
  { name: 'void', content: '' },
  { name: 'zoo', content: 'bears\n' },
];

describe('which units are candidates', () => {
  test('an answer has candidates only if they are asked for', async () => {
    const answer = ask(await plant(OFFICE), 'fire', { max_chunks: 1 });
    expect(answer).not.toHaveProperty('candidates');
    expect(answer).not.toHaveProperty('more_candidates');
  });

  test('a candidate is shown by name and description, and never with its text', async () => {
    const hinted = ask(await plant(OFFICE), 'fire', { max_chunks: 1, manifest_hint: ['alarm'], candidates: 1 });
    expect(hinted.candidates).toEqual([{ name: 'backup', description: 'What to do when a disk fails' }]);
  });

  test('withdrawn, expired and unavailable units are no candidates, nor guaranteed ones or those without a match', async () => {
    const garden = withoutWithdrawn(await plant(OFFICE), ({ name }) => name === 'crew');
    const answer = ask(garden, 'fire', { max_chunks: 1, candidates: 50 });
    expect(answer.names).toContain('limits');
    expect(named(answer).sort()).toEqual(['alarm', 'backup', 'soon'].filter((it) => !answer.names.includes(it)));
  });

  test('a unit that does not fit the token budget is a candidate', async () => {
    const garden = await plant([
      { ...OFFICE[0]!, tokens: 5 },
      { ...OFFICE[1]!, tokens: 500 },
    ]);
    expect(ask(garden, 'fire', { token_budget: 20, candidates: 3 })).toMatchObject({
      names: ['alarm'],
      truncated: true,
      candidates: [{ name: 'backup' }],
      left_out: [{ name: 'backup', outcome: 'over_token_budget' }],
    });
  });

  test('of five hundred units that match as well, fifty are named at most, and the rest is no part of the count', async () => {
    const many = Array.from({ length: 500 }, (_, i) => ({ name: `u${i + 1000}`, content: 'fire\n' }));
    const garden = await plant(many);
    const all = ask(garden, 'fire', { max_chunks: 1, candidates: 50, candidates_budget: 10_000 });
    expect([named(all).length, named(all)[0], named(all).at(-1), all.more_candidates]).toEqual([
      50,
      'u1001',
      'u1050',
      0,
    ]);
    const [entry] = all.candidates!;
    const cut = ask(garden, 'fire', {
      max_chunks: 1,
      candidates: 50,
      candidates_budget: 3 * candidateText(entry!).length,
    });
    expect([named(cut), cut.more_candidates]).toEqual([['u1001', 'u1002', 'u1003'], 47]);
  });

  test('the longest description of all costs no more than its budget: it is not named', async () => {
    const units = [...OFFICE.slice(0, 2), { name: 'wide', content: 'fire fire fire\n', description: '🔥'.repeat(60) }];
    const answer = ask(await plant(units), 'fire', { max_chunks: 1, candidates: 5, candidates_budget: 20 });
    expect([answer.candidates, answer.more_candidates]).toEqual([[], 2]);
  });
});
