import { diagnostic, type Diagnostic } from '../../schema/diagnostics.ts';
import { ENGLISH } from '../../schema/source/language.ts';
import type { Unit } from '../../schema/source/unit.ts';
import { allUnits, type LintedGarden } from './linted-garden.ts';

const WRAP_UP =
  /\b(?:wrap[- ]?up|hand(?:ing)?[- ]?(?:over|off)|(?:end|leave|finish|close|stop|conclude) (?:of )?(?:my |the |a |this )?(?:\w+ )?(?:run|shift|day|session|heartbeat|work)|done for (?:today|now)|sign(?:ing)? off|shut(?:ting)? down|before (?:i |you )?(?:exit|stop|leave)|leav(?:e|ing) work|exit)\b/i;
const LIMITS =
  /\b(?:limits?|safety|guardrails?|boundar(?:y|ies)|forbidden|prohibit\w*|not allowed|am i allowed|must(?: you)? never|never do|constraints|red lines?|off[- ]limits|do no harm)\b/i;
/** An always-on rule that forbids something. */
const RULE = /\b(?:never|must not|do not|don't|ask before|not without)\b/i;

/**
 * An agent without wrap-up instructions leaves work unfinished; one without limits learns them by crossing them. The
 * words that tell are English, so nothing is said of a handbook in another language.
 */
export function findMissing(garden: LintedGarden): Diagnostic[] {
  const { agent, boot, language } = garden;
  if (agent === null || language !== ENGLISH) return [];
  const units = allUnits(garden);
  const faults: Diagnostic[] = [];
  if (!units.some((unit) => WRAP_UP.test(titles(unit))) && !WRAP_UP.test(boot)) {
    const message = 'no unit says how this agent ends its work';
    faults.push(diagnostic('agent_wrap_up_missing', agent.file, message, 'add one, such as wrap-up.md'));
  }
  if (!units.some((unit) => LIMITS.test(titles(unit))) && !RULE.test(boot)) {
    const message = 'neither a unit nor boot.md says what this agent must never do';
    faults.push(
      diagnostic('agent_limits_missing', agent.file, message, 'add limits.md, or always-on rules in boot.md'),
    );
  }
  return faults;
}

/** The texts by which recall finds a unit. */
function titles({ name, delivery, headings }: Unit): string {
  const { intents, keywords } = delivery.load_triggers;
  return [name, ...delivery.aliases, delivery.description, ...headings, ...intents, ...keywords].join('\n');
}
