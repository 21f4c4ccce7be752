import { diagnostic, type Diagnostic } from '../../schema/diagnostics.ts';
import { allUnits, unitDiagnostic, type LintedGarden } from './linted-garden.ts';

/** Below this a unit is smaller than its entry in the manifest, if it has one. */
const SHORT = 20;
/** Above this most of a unit does not concern the situation of a recall. */
const LONG = 600;
/** §21.3.1: the default budget of a recall. */
const DEFAULT_BUDGET = 2000;

/** Units too small to be worth a recall, or too large for one. */
export function findSizes({ units, countTokens }: LintedGarden): Diagnostic[] {
  return units.flatMap((unit) => {
    if (unit.content === '') return [];
    const tokens = countTokens(unit.content);
    if (tokens < SHORT && !unit.delivery.listed) return [];
    if (tokens < SHORT) {
      const message = `${tokens} tokens; a unit of less than ${SHORT} is smaller than its entry in the manifest`;
      return [
        unitDiagnostic('unit_short', unit, message, 'move the text into the unit that links here, or into boot.md'),
      ];
    }
    if (tokens <= LONG) return [];
    const message = `${tokens} tokens; a unit of more than ${LONG} displaces other units in a recall`;
    return [unitDiagnostic('unit_long', unit, message, 'split it into one unit per situation, and link them')];
  });
}

/** §21.3.3: guaranteed units come with every recall, and leave less budget for the units that match. */
export function findGuaranteedLoad(garden: LintedGarden): Diagnostic[] {
  const guaranteed = allUnits(garden).filter((unit) => unit.delivery.guarantee_load);
  const sizes = guaranteed.map((unit) => ({ unit, tokens: garden.countTokens(unit.content) }));
  const total = sizes.reduce((sum, { tokens }) => sum + tokens, 0);
  const [largest] = sizes.sort((a, b) => b.tokens - a.tokens);
  if (total * 2 <= DEFAULT_BUDGET || !largest) return [];
  const message = `guaranteed units cost ${total} tokens of every recall, more than half its budget of ${DEFAULT_BUDGET}`;
  const help = `shorten them, or move always-on rules to boot.md; the largest is ${largest.unit.file}`;
  const { unit } = largest;
  if (garden.units.includes(unit))
    return [unitDiagnostic('guaranteed_large', unit, message, help, unit.at('guarantee_load'))];
  return [diagnostic('guaranteed_large', garden.agent?.file ?? unit.file, message, help)];
}
