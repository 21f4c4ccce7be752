import {
  COVERAGE_THRESHOLD,
  MAX_MISSES,
  TEXT_RULES,
  type Miss,
  type TextRule,
  type TextRuleResult,
  type UnitCoverage,
} from '../../schema/bundle/coverage.ts';
import { foundShare } from '../metrics/share.ts';

/** A paraphrase, whether it found its unit, and the text rules that it breaks. */
export interface CheckedParaphrase {
  readonly intent: string;
  readonly paraphrase: string;
  readonly rank: number | null;
  readonly isFound: boolean;
  /** By rule, the units whose texts answer it better; no rule that it keeps. */
  readonly broken: ReadonlyMap<TextRule, readonly string[]>;
}

/**
 * Figures of a unit's paraphrases after the text rules. Paraphrases of triggers that repeat the content are left out
 * while these triggers are few; if most triggers do, all paraphrases are asked, and these do not count.
 */
export function applyTextRules(
  paraphrases: readonly CheckedParaphrase[],
  mostRepeat: boolean,
): Pick<UnitCoverage, 'counted' | 'text_rules'> {
  const asked = mostRepeat ? paraphrases : paraphrases.filter(({ broken }) => !broken.has('coverage_repetition'));
  const found = asked.filter(({ isFound, broken }) => isFound && broken.size === 0).length;
  const isEnough = foundShare(found, asked.length) >= COVERAGE_THRESHOLD;
  return {
    counted: { paraphrases: asked.length, found },
    text_rules: TEXT_RULES.map((rule) => resultOf(rule, paraphrases, isEnough)),
  };
}

function resultOf(rule: TextRule, paraphrases: readonly CheckedParaphrase[], isEnough: boolean): TextRuleResult {
  const failed = paraphrases.filter(({ broken }) => broken.has(rule));
  return {
    rule,
    failed: failed.length,
    blocks: failed.length > 0 && !isEnough,
    triggers: [...new Set(failed.map(({ intent }) => intent))],
    examples: failed.slice(0, MAX_MISSES).map(({ intent, paraphrase, rank, broken }): Miss => {
      return { intent, paraphrase, rank, outranked_by: [...(broken.get(rule) ?? [])] };
    }),
  };
}
