import type { Diagnostic } from '../../schema/diagnostics.ts';
import type { Unit } from '../../schema/source/unit.ts';
import { meaning, unitDiagnostic, type LintedGarden } from './linted-garden.ts';
import { reachOf } from './reach.ts';

/** A run of so many common words is not a coincidence. */
const COPIED = 4;

/**
 * Intents that repeat the unit: a sentence of its body, its description or a heading. An agent that needs the unit does
 * not know its words yet; it knows only its own situation.
 */
export function findRepeats({ units }: LintedGarden): Diagnostic[] {
  return units.flatMap((unit) => {
    const copiedFrom = copyIn(unit.content, [unit.delivery.description, ...unit.headings]);
    return unit.delivery.load_triggers.intents.flatMap((intent, i) => {
      const where = copiedFrom(intent);
      if (where === null) return [];
      const message = `“${intent}” repeats the unit's ${where}`;
      const help = 'name the situation that needs the unit, in the words of a person who has not read it';
      return [unitDiagnostic('trigger_repeats_content', unit, message, help, unit.at('load_triggers.intents', i))];
    });
  });
}

/**
 * The part of a unit that an intent only copies: a title, or a run of words of its text; null if it says something
 * else.
 */
export function copyIn(content: string, titles: readonly string[]): (intent: string) => 'title' | 'text' | null {
  const known = new Set(titles.map(normalised));
  const body = ` ${content.split('\n').map(normalised).join(' \n ')} `;
  return (intent) => {
    const words = normalised(intent);
    const size = words === '' ? 0 : words.split(' ').length;
    if (size >= 3 && known.has(words)) return 'title';
    return size >= COPIED && body.includes(` ${words} `) ? 'text' : null;
  };
}

function normalised(text: string): string {
  return meaning(text).join(' ');
}

/** Units without a trigger, a wake reason, a guarantee or a link to them. */
export function findUnreachable(garden: LintedGarden, named: ReadonlySet<string>): Diagnostic[] {
  return garden.units.filter(isUncalled).flatMap((unit) => {
    const { listed } = unit.delivery;
    if (listed && named.has(unit.name)) return [];
    const message = listed
      ? 'the unit has no trigger, no wake reason and no link to it'
      : 'the unit is unlisted and has no triggers: neither the manifest nor a situation refers to it';
    return [unitDiagnostic('unit_unreachable', unit, message, 'add load_triggers.intents, or delete the unit')];
  });
}

function isUncalled({ delivery }: Unit): boolean {
  const { intents, keywords } = delivery.load_triggers;
  return intents.length + keywords.length + delivery.required_by_task_types.length === 0 && !delivery.guarantee_load;
}

/** With fewer siblings, "most" means nothing. */
const SIBLINGS = 5;

/** §21.1.1: text for most wake reasons or most situations belongs in the boot stub, where no recall can miss it. */
export function findBootCandidates({ units, shared, wakeReasons, agent }: LintedGarden): Diagnostic[] {
  const help = 'move its always-on rules to boot.md (§21.1.1), and keep only the rules of one situation here';
  const asking = [...units, ...shared].filter((it) => it.delivery.load_triggers.intents.length > 0);
  const countReaching = agent ? reachOf(asking) : () => 0;
  return units.flatMap((unit) => {
    const reasons = unit.delivery.required_by_task_types.filter((it) => wakeReasons.includes(it));
    if (reasons.length > 2 && reasons.length * 2 > wakeReasons.length) {
      const message = `${reasons.length} of ${wakeReasons.length} wake reasons preload this unit`;
      return [unitDiagnostic('boot_candidate', unit, message, help, unit.at('required_by_task_types'))];
    }
    const others = asking.length - (unit.delivery.load_triggers.intents.length > 0 ? 1 : 0);
    const reaching = others < SIBLINGS ? 0 : countReaching(unit);
    if (reaching * 2 <= others) return [];
    const message = `the triggers of ${reaching} of ${others} siblings match this unit too`;
    return [unitDiagnostic('boot_candidate', unit, message, help, unit.at('load_triggers'))];
  });
}
