import type { Diagnostic } from '../../schema/diagnostics.ts';
import type { Unit } from '../../schema/source/unit.ts';
import { meaning, unitDiagnostic, type LintedGarden } from './linted-garden.ts';
import { Sayings, STOLEN } from './sayings.ts';

/** Words that say of a text that it is one, and not what it is for. */
const OF_ANY_TEXT = new Set(
  meaning(
    'contains describes details document explains file general guide guidelines guides guidance important information ' +
      'instruction instructions note notes overview page rule rules section skill text things topic unit use used useful using',
  ),
);

/** Descriptions such as “Instructions on deployments”: they tell a model that chooses nothing but the name. */
export function findBareDescriptions({ units }: LintedGarden): Diagnostic[] {
  return units.flatMap((unit) => {
    const { description } = unit.delivery;
    const name = meaning(unit.name.replaceAll('-', ' '));
    const named = new Set([...name, ...meaning(unit.headings[0] ?? '')]);
    const words = meaning(description);
    const isBare = words.every((it) => named.has(it) || OF_ANY_TEXT.has(it));
    if (!isBare || !words.some((it) => OF_ANY_TEXT.has(it) && !name.includes(it))) return [];
    const message = `“${description}” only names the unit`;
    const help = 'say in which situation an agent needs it, or what it finds there';
    return [unitDiagnostic('description_says_little', unit, message, help)];
  });
}

/** Descriptions of two units in nearly the same words: a model cannot decide which of them it needs. */
export function findDescriptionTwins({ shared, units }: LintedGarden): Diagnostic[] {
  const known = new Sayings<Unit>();
  const sayingOf = (unit: Unit) => ({
    unit,
    words: unit.delivery.description,
    parts: new Set(meaning(unit.delivery.description)),
  });
  for (const unit of shared) known.add(sayingOf(unit));
  return units.flatMap((unit) => {
    const saying = sayingOf(unit);
    const { twin, share } = known.nearest(saying);
    known.add(saying);
    if (!twin || share < STOLEN) return [];
    const message = `“${saying.words}” nearly repeats the description of ${twin.unit.name}: “${twin.words}”`;
    const help = 'say what sets this unit apart, in words that the other one does not have';
    return [unitDiagnostic('description_overlap', unit, message, help)];
  });
}
