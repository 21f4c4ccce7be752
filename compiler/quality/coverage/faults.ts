import {
  COVERAGE_K,
  COVERAGE_THRESHOLD,
  FINDABILITY_LEAST,
  isHardToFind,
  type Miss,
  type TextRule,
  type TextRuleResult,
  type UnitCoverage,
} from '../../schema/bundle/coverage.ts';
import { diagnostic, type Diagnostic, type Position, type RuleId } from '../../schema/diagnostics.ts';

/** Where a unit's triggers stand in the sources. */
export type TriggerPlace = (unit: string) => { readonly file: string; readonly at: Position | undefined };

/** How many paraphrases or triggers a message names. */
const NAMED = 3;

const NEEDED = `${COVERAGE_THRESHOLD * 100} %`;

/**
 * The faults of a unit at the coverage gate, one for each rule that stops it, where its triggers stand.
 *
 * @param skipped whether the gate is bypassed: then they are warnings
 */
export function coverageFaults(judged: UnitCoverage, placeOf: TriggerPlace, skipped: boolean): Diagnostic[] {
  const report = (rule: RuleId, message: string, help: string): Diagnostic => {
    if (!skipped) return atTriggers(rule, judged, placeOf, message, help);
    return { ...atTriggers('coverage_skipped', judged, placeOf, message, help), details: { rule } };
  };
  const unfound = judged.coverage_pct < COVERAGE_THRESHOLD ? [report('coverage_failure', ...unfoundText(judged))] : [];
  const texts = judged.text_rules.filter(({ blocks }) => blocks);
  return [...unfound, ...texts.map((it) => report(it.rule, ...textRuleText(judged, it)))];
}

/** The warning of a unit that words of other people will hardly find. */
export function findabilityWarning(judged: UnitCoverage, placeOf: TriggerPlace): Diagnostic[] {
  const { findability } = judged;
  if (findability === null || !isHardToFind(judged)) return [];
  const { score, paraphrases, rivals } = findability;
  // cut, not rounded: .5999 is below .6
  const shown = (Math.floor(100 * score) / 100).toFixed(2);
  const ahead = rivals.map((it) => `${it.name} (before it for ${it.ahead} of ${paraphrases} paraphrases)`);
  const nearest = ahead.length > 0 ? `; nearest: ${ahead.join(', ')}` : '';
  const message = `the findability of ${judged.name} by words that are not its triggers is ${shown}, below ${FINDABILITY_LEAST}${nearest}`;
  const help = helpOf(
    judged,
    'add triggers in other everyday words, and say in its description what sets it apart from these units',
  );
  return [atTriggers('findability_low', judged, placeOf, message, help)];
}

/** A diagnostic where a unit's triggers stand. */
function atTriggers(
  rule: RuleId,
  { name }: UnitCoverage,
  placeOf: TriggerPlace,
  message: string,
  help: string,
): Diagnostic {
  const { file, at } = placeOf(name);
  return diagnostic(rule, file, message, help, at);
}

/** Names the paraphrases that miss, the units that they find instead, and words that would help. */
function unfoundText(unit: UnitCoverage): [message: string, help: string] {
  if (unit.paraphrases === 0) {
    const message = `${unit.name} has no trigger that can be put in other words, so nothing shows that it is found`;
    return [message, 'name the situation in its triggers in everyday words'];
  }
  const share = `${unit.found} of ${unit.paraphrases} paraphrases`;
  const examples = unit.misses.slice(0, NAMED).map((it) => `${quoted(it)} finds ${listed(it) || 'nothing'}`);
  const message = `${unit.name} is among the first ${COVERAGE_K} for ${share}; ${NEEDED} are needed: ${examples.join('; ')}`;
  return [message, helpOf(unit, 'name the situation in its triggers in everyday words')];
}

/** How a text rule is said: what is wrong with this many paraphrases, and what to do. */
const SAID: Readonly<Record<TextRule, { readonly wrong: string; readonly help: string }>> = {
  coverage_own_text: {
    wrong: 'are answered better by the texts of twenty other units than by its own',
    help: 'say in its description and text what its triggers are about, or choose other triggers',
  },
  coverage_misplaced: {
    wrong: 'are of triggers that a sibling’s text answers much better',
    help: 'leave these triggers to the sibling, or say in its description and text what they are about',
  },
  coverage_repetition: {
    wrong: 'are of triggers that only repeat its content',
    help: 'name the situation that needs it, in the words of a person who has not read it',
  },
};

function textRuleText(unit: UnitCoverage, result: TextRuleResult): [message: string, help: string] {
  const { wrong, help } = SAID[result.rule];
  const { paraphrases, found } = unit.counted;
  const left = `${found} of ${paraphrases} that may count are found and do; ${NEEDED} are needed`;
  const message = `${result.failed} of ${unit.paraphrases} paraphrases of ${unit.name} ${wrong}: ${concerned(result)}; ${left}`;
  return [message, helpOf(unit, help)];
}

/** The first paraphrases with the units that answer them better; only the triggers, where none does. */
function concerned({ rule, triggers, examples }: TextRuleResult): string {
  if (rule === 'coverage_repetition')
    return triggers
      .slice(0, NAMED)
      .map((it) => `“${it}”`)
      .join(', ');
  return examples
    .slice(0, NAMED)
    .map((it) => `${quoted(it)} (${listed(it)})`)
    .join(', ');
}

const quoted = ({ paraphrase }: Miss) => `“${paraphrase}”`;
const listed = ({ outranked_by }: Miss) => outranked_by.join(', ');

function helpOf({ suggested_words }: UnitCoverage, help: string): string {
  return suggested_words.length === 0 ? help : `${help}; words that would help: ${suggested_words.join(', ')}`;
}
