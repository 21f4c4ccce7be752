import { describe, expect, test } from 'vitest';
import { applyTextRules, type CheckedParaphrase } from '../../../compiler/quality/unit-coverage/text-rules.ts';
import type { TextRule } from '../../../compiler/schema/bundle/coverage.ts';
import { ruleOf } from '../../support/unit-coverage.ts';

const broken = (rule: TextRule, ...names: string[]) => new Map([[rule, names]]);

/** As many paraphrases of one trigger, found and without fault unless said otherwise. */
const some = (count: number, intent: string, over: Partial<CheckedParaphrase> = {}): CheckedParaphrase[] =>
  Array.from({ length: count }, (_, at) => ({
    intent,
    paraphrase: `${intent} ${at}`,
    rank: 1,
    isFound: true,
    broken: new Map(),
    ...over,
  }));

describe('§21.8.3: what the text rules leave of a unit', () => {
  test('paraphrases that keep every rule count if they are found', () => {
    const { counted, text_rules } = applyTextRules([...some(8, 'x'), ...some(2, 'y', { isFound: false })], false);
    expect(counted).toEqual({ paraphrases: 10, found: 8 });
    expect(text_rules).toEqual(
      ['coverage_own_text', 'coverage_misplaced', 'coverage_repetition'].map((rule) => {
        return { rule, failed: 0, blocks: false, triggers: [], examples: [] };
      }),
    );
  });

  test.each([
    [8, 2, false],
    [7, 3, true],
  ])('%i that count and %i that break a rule: it stops the unit: %s', (kept, failed, blocks) => {
    const all = [...some(kept, 'x'), ...some(failed, 'y', { broken: broken('coverage_misplaced', 'b') })];
    const result = applyTextRules(all, false);
    expect(result.counted).toEqual({ paraphrases: 10, found: kept });
    expect(ruleOf(result, 'coverage_misplaced')).toMatchObject({ failed, blocks, triggers: ['y'] });
    expect(ruleOf(result, 'coverage_own_text')).toMatchObject({ failed: 0, blocks: false });
  });

  test('one that breaks a rule stops a unit of which too little else is found', () => {
    const all = [
      ...some(7, 'x'),
      ...some(1, 'y', { broken: broken('coverage_own_text') }),
      ...some(2, 'z', { isFound: false }),
    ];
    expect(ruleOf(applyTextRules(all, false), 'coverage_own_text')).toMatchObject({ failed: 1, blocks: true });
  });

  test('the first ten are examples, each with its own place and the units whose texts answer it better', () => {
    const own = { rank: 4, isFound: false, broken: broken('coverage_own_text', 'b', 'c') };
    const result = applyTextRules([...some(2, 'x'), ...some(6, 'y', own), ...some(6, 'z', own)], false);
    const { failed, triggers, examples } = ruleOf(result, 'coverage_own_text');
    expect([failed, triggers, examples.length]).toEqual([12, ['y', 'z'], 10]);
    expect(examples[0]).toEqual({ intent: 'y', paraphrase: 'y 0', rank: 4, outranked_by: ['b', 'c'] });
    expect(examples[9]?.paraphrase).toBe('z 3');
  });
});
