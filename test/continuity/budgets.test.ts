import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SubjectFiles } from '../../compiler/continuity/stored/subject.ts';
import { anyCapsule } from './arbitrary.ts';
import { filesOf } from './capsules.ts';
import { isMonotone } from './monotone.ts';
import { retrieved, stateOf, THREE } from './retrieving.ts';

describe('a retrieval is monotone in its budget: a larger one takes nothing away', () => {
  const entriesAt = (held: readonly SubjectFiles[], max_tokens_estimate: number) =>
    new Map(stateOf(retrieved(held, { max_tokens_estimate })).capsules.map((it) => [it['subject_id'], it]));
  /** The salience has ranks among what is returned, which are the same at every budget. */
  const isWithin = (small: ReturnType<typeof entriesAt>, large: ReturnType<typeof entriesAt>) =>
    [...small].every(([id, it]) => isMonotone(it, large.get(id)));

  test('three rich capsules, from 256 tokens to 12,000', () => {
    let before = entriesAt(THREE, 256);
    expect(before.size).toBeGreaterThan(0);
    for (let budget = 257; budget <= 12_000; budget += budget < 3000 ? 29 : 97) {
      const entries = entriesAt(THREE, budget);
      expect([budget, isWithin(before, entries)]).toEqual([budget, true]);
      before = entries;
    }
    expect(before.size).toBe(3);
  });

  test('property: any capsules, at any two budgets', () => {
    const budget = fc.integer({ min: 256, max: 12_000 });
    fc.assert(
      fc.property(fc.array(anyCapsule(60), { minLength: 1, maxLength: 4 }), budget, budget, (drafts, one, other) => {
        const held = drafts.map((draft, at) => filesOf({ ...draft, subject_id: `t${at}` }));
        const [small, large] = [Math.min(one, other), Math.max(one, other)].map((it) => entriesAt(held, it));
        expect(isWithin(small!, large!)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});
