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

/** Position of a unit's triggers in the sources, or of one of them. */
export type TriggerPlace = (
  unit: string,
  trigger?: string,
) => { readonly file: string; readonly at: Position | undefined };

/** Maximum number of paraphrases or triggers that a message names. */
const NAMED = 3;

const NEEDED = `${COVERAGE_THRESHOLD * 100} %`;

/** Message and help of a diagnostic. */
type Text = readonly [message: string, help: string];

/** Options with which a compile uses the gate. */
export interface GateUse {
  /** Whether it is bypassed: then its faults are warnings. */
  readonly skipped: boolean;
  /** Command with which administrators bypass it. */
  readonly bypass: string;
}

/**
 * The faults of a unit at the coverage gate, one for each rule that stops it, where its triggers stand.
 */
export function coverageFaults(judged: UnitCoverage, placeOf: TriggerPlace, use: GateUse): Diagnostic[] {
  const report = (rule: RuleId, [message, help]: Text, trigger?: string): Diagnostic => {
    const { file, at } = placeOf(judged.name, trigger);
    return underGate(diagnostic(rule, file, message, help, at), use);
  };
  const isUnasked = judged.paraphrases === 0 && judged.not_evaluated.length > 0;
  const isUnfound = judged.coverage_pct < COVERAGE_THRESHOLD && !isUnasked;
  const unfound = isUnfound ? [report('coverage_failure', unfoundText(judged))] : [];
  const texts = judged.text_rules.filter(({ blocks }) => blocks);
  const [first] = judged.not_evaluated;
  const unasked =
    first === undefined ? [] : [report('coverage_not_evaluated', unaskedText(judged, placeOf, use), first)];
  return [...unfound, ...unasked, ...texts.map((it) => report(it.rule, textRuleText(judged, it)))];
}

/** A fault of the gate, or the warning that a bypass makes of it. */
function underGate(fault: Diagnostic, { skipped }: GateUse): Diagnostic {
  if (!skipped) return fault;
  const { rule, file, message, help } = fault;
  return { ...diagnostic('coverage_skipped', file, message, help, fault), details: { rule } };
}

/** The fault of a garden that is mostly in another language, which a bypass lets through too. */
export function refusedLanguage(fault: Diagnostic, use: GateUse): Diagnostic {
  return underGate({ ...fault, help: `${fault.help}; or bypass the gate: ${use.bypass}` }, use);
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
  const { file, at } = placeOf(judged.name);
  return [diagnostic('findability_low', file, message, help, at)];
}

/** Names the paraphrases that miss, the units that they find instead, and words that would help. */
function unfoundText(unit: UnitCoverage): Text {
  const share = `${unit.found} of ${unit.paraphrases} paraphrases`;
  const examples = unit.misses.slice(0, NAMED).map((it) => `${quoted(it)} finds ${listed(it) || 'nothing'}`);
  const message = `${unit.name} is among the first ${COVERAGE_K} for ${share}; ${NEEDED} are needed: ${examples.join('; ')}`;
  return [message, helpOf(unit, 'name the situation in its triggers in everyday words')];
}

/** Names the triggers that cannot be paraphrased, with their lines, and the possible fixes. */
function unaskedText({ name, not_evaluated }: UnitCoverage, placeOf: TriggerPlace, { bypass }: GateUse): Text {
  const lines = not_evaluated.slice(0, NAMED).map((it) => `“${it}” (line ${placeOf(name, it).at?.line ?? 1})`);
  const others = not_evaluated.length - lines.length;
  const more = others > 0 ? `, and ${others} more` : '';
  const message = `${name} has a trigger that cannot be paraphrased, so nothing shows that it finds the unit: ${lines.join(', ')}${more}`;
  return [message, `write it as a sentence of several words; or bypass the gate: ${bypass}`];
}

/** The wording of a text rule's fault: the problem with this many paraphrases, and its fix. */
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

function textRuleText(unit: UnitCoverage, result: TextRuleResult): Text {
  const { wrong, help } = SAID[result.rule];
  const { paraphrases, found } = unit.counted;
  const left = `${found} of ${paraphrases} countable paraphrases find the unit; ${NEEDED} are needed`;
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
