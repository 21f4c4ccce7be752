import type { Diagnostic } from '../../schema/diagnostics.ts';
import type { Unit } from '../../schema/source/unit.ts';
import { meaning, unitDiagnostic, type LintedGarden } from './linted-garden.ts';
import { Sayings, STOLEN, type Saying } from './sayings.ts';

/** Words of a shingle; shorter runs are common to any two texts of the same field. */
const SHINGLE = 4;
/** Two units are near duplicates from this share of common shingles on. */
const ALIKE = 0.6;

/** Units with nearly the same text: they compete for every recall, and one of them will become outdated. */
export function findDuplicates({ shared, units }: LintedGarden): Diagnostic[] {
  const known = new Sayings<Unit>();
  for (const unit of shared) known.add({ unit, words: '', parts: shingles(unit.content) });
  return units.flatMap((unit) => {
    const saying = { unit, words: '', parts: shingles(unit.content) };
    const { twin, share } = known.nearest(saying);
    known.add(saying);
    if (!twin || share < ALIKE) return [];
    const message = `${Math.round(share * 100)} % of this unit and of ${twin.unit.file} is the same text`;
    return [unitDiagnostic('unit_near_duplicate', unit, message, 'keep one of them, and link to it')];
  });
}

/** Texts of which most is the text of an earlier one. */
export function findTwins<Of>(
  texts: readonly { readonly of: Of; readonly text: string }[],
): { of: Of; twin: Of; share: number }[] {
  const known = new Sayings<Of>();
  return texts.flatMap(({ of, text }) => {
    const saying = { unit: of, words: '', parts: shingles(text) };
    const { twin, share } = known.nearest(saying);
    known.add(saying);
    return twin && share >= ALIKE ? [{ of, twin: twin.unit, share }] : [];
  });
}

/** Runs of words; none for a text that is too short to compare. */
function shingles(content: string): Set<string> {
  const all = meaning(content);
  const found = new Set<string>();
  for (let i = 0; i + SHINGLE <= all.length; i++) found.add(all.slice(i, i + SHINGLE).join(' '));
  return found.size < 6 ? new Set() : found;
}

/** Intents of two units with nearly the same words: either unit may come for both. */
export function findOverlaps({ shared, units }: LintedGarden): Diagnostic[] {
  const known = new Sayings<Unit>();
  for (const unit of shared) for (const it of intentsOf(unit)) known.add(it);
  return units.flatMap((unit) => {
    const mine = intentsOf(unit);
    const faults = mine.flatMap((saying, i) => {
      const { twin, share } = known.nearest(saying);
      if (!twin || share < STOLEN) return [];
      const repeats = twin.words === saying.words ? 'repeats a trigger' : `nearly repeats “${twin.words}”`;
      const message = `“${saying.words}” ${repeats} of ${twin.unit.name}`;
      const help = 'name the situation of this unit, or merge the units';
      return [unitDiagnostic('trigger_overlap', unit, message, help, unit.at('load_triggers.intents', i))];
    });
    for (const it of mine) known.add(it);
    return faults;
  });
}

function intentsOf(unit: Unit): Saying<Unit>[] {
  const { intents } = unit.delivery.load_triggers;
  return intents.map((words) => ({ unit, words, parts: new Set(meaning(words)) }));
}

/** A sentence, and whose it is. */
export interface Said<Of> {
  readonly of: Of;
  readonly text: string;
}

/** Sentences in nearly the same words as a known one, or as one before them, each with the nearest. */
export function findCopies<Of>(
  said: readonly Said<Of>[],
  known: readonly Said<Of>[],
): { copy: Said<Of>; like: Said<Of> }[] {
  const sayings = new Sayings<Said<Of>>();
  const sayingOf = (it: Said<Of>) => ({ unit: it, words: it.text, parts: new Set(meaning(it.text)) });
  for (const it of known) sayings.add(sayingOf(it));
  return said.flatMap((it) => {
    const saying = sayingOf(it);
    const { twin, share } = sayings.nearest(saying);
    sayings.add(saying);
    return twin && share >= STOLEN ? [{ copy: it, like: twin.unit }] : [];
  });
}
