import { sortDiagnostics, type Diagnostic } from '../schema/diagnostics.ts';
import type { KeptResults } from '../schema/kept-results.ts';
import type { Unit } from '../schema/source/unit.ts';
import { toDiagnostics } from '../sources/finding.ts';
import { lintText } from './lint-text.ts';
import { findSteering } from './rules/injection.ts';
import type { ScanSecrets } from './rules/secret.ts';

/** The parts of a unit that an agent is shown; their places are those of its front matter. */
type ShownUnit = Pick<Unit, 'name' | 'file' | 'delivery' | 'at'>;

/**
 * All rules of class security for one unit: its whole source, and its name and description as an agent reads them in an
 * answer, to choose by. YAML may write those in escapes, and in quotes that are not the author's.
 *
 * @param text its source
 * @param kept which texts are known to break no rule
 */
export async function lintUnit(
  unit: ShownUnit,
  text: string,
  scanSecrets?: ScanSecrets,
  kept: KeptResults | null = null,
): Promise<Diagnostic[]> {
  const found = await lintText(unit.file, text, scanSecrets, kept);
  const known = new Set(found.map(({ rule, line }) => `${rule} ${line}`));
  const shown = await lintShown(unit, scanSecrets, kept);
  return sortDiagnostics([...found, ...shown.filter(({ rule, line }) => !known.has(`${rule} ${line}`))]);
}

async function lintShown(
  unit: ShownUnit,
  scanSecrets: ScanSecrets | undefined,
  kept: KeptResults | null,
): Promise<Diagnostic[]> {
  const { name, file, delivery, at } = unit;
  // a name has hyphens where a sentence has spaces, and alone on its line “system” would be the tag of a role
  const shown = `The unit ${name.replaceAll('-', ' ')}\n\nFor: ${delivery.description}`;
  const found = [
    ...(await lintText(file, shown, scanSecrets, kept)),
    ...toDiagnostics(file, shown, findSteering(shown)),
  ];
  return found.map((it) => (it.line === 1 ? { ...it, line: 1, column: 1 } : { ...it, ...at('description') }));
}
