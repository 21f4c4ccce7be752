import {
  TEXT_RULES,
  type TextRule,
  type TextRuleResult,
  type UnitCoverage,
} from '../../compiler/schema/bundle/coverage.ts';

/** The results of the text rules for a unit that keeps them all but some. */
export function textRules(over: Partial<Record<TextRule, Partial<TextRuleResult>>> = {}): TextRuleResult[] {
  return TEXT_RULES.map((rule) => ({ rule, failed: 0, blocks: false, triggers: [], examples: [], ...over[rule] }));
}

/** The coverage of a unit that is always found, unless said otherwise. */
export function unitCoverage(name: string, over: Partial<UnitCoverage> = {}): UnitCoverage {
  return {
    name,
    paraphrases: 10,
    verbatim: 0,
    found: 10,
    coverage_pct: 1,
    hit_at_10: 1,
    judged_by: 'intents',
    not_evaluated: [],
    misses: [],
    counted: { paraphrases: 10, found: 10 },
    text_rules: textRules(),
    findability: { score: 1, paraphrases: 10, rivals: [] },
    suggested_words: [],
    ...over,
  };
}

/** Finding of one of the text rules in a unit. */
export function ruleOf({ text_rules }: Pick<UnitCoverage, 'text_rules'>, wanted: TextRule): TextRuleResult {
  const result = text_rules.find(({ rule }) => rule === wanted);
  if (!result) throw new TypeError(`no result of ${wanted}`);
  return result;
}
