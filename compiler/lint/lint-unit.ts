import { sortDiagnostics, type Diagnostic } from '../schema/diagnostics.ts';
import type { KeptResults } from '../schema/kept-results.ts';
import type { ConfiguredAgent } from '../sources/config.ts';
import { toDiagnostics } from '../sources/finding.ts';
import { lintText } from './lint-text.ts';
import { findSteering } from './rules/injection.ts';
import type { ScanSecrets } from './rules/secret.ts';
import { shownOfAgent, shownOfUnit, type ShownText, type ShownUnit } from './shown-texts.ts';

/**
 * All rules of class security for one unit: its whole source, and what of it an agent reads to choose by. YAML may
 * write that in escapes, and in quotes that are not the author's.
 *
 * @param text its source
 * @param kept which texts are known to break no rule
 */
export function lintUnit(
  unit: ShownUnit,
  text: string,
  scanSecrets?: ScanSecrets,
  kept: KeptResults | null = null,
): Promise<Diagnostic[]> {
  return lintBoth(unit.file, text, shownOfUnit(unit), scanSecrets, kept);
}

/** The same for an agent’s configuration. */
export function lintAgent(
  { config, file, at }: ConfiguredAgent,
  text: string,
  scanSecrets?: ScanSecrets,
  kept: KeptResults | null = null,
): Promise<Diagnostic[]> {
  return lintBoth(file, text, shownOfAgent(config, at(['role'])), scanSecrets, kept);
}

async function lintBoth(
  file: string,
  text: string,
  shown: readonly ShownText[],
  scanSecrets: ScanSecrets | undefined,
  kept: KeptResults | null,
): Promise<Diagnostic[]> {
  const found = await lintText(file, text, scanSecrets, kept);
  const known = new Set(found.map(({ rule, line }) => `${rule} ${line}`));
  const read = await lintShown(file, shown, scanSecrets, kept);
  return sortDiagnostics([...found, ...read.filter(({ rule, line }) => !known.has(`${rule} ${line}`))]);
}

/** Each shown text is a paragraph of its own, so that no phrase goes over two of them. */
async function lintShown(
  file: string,
  shown: readonly ShownText[],
  scanSecrets: ScanSecrets | undefined,
  kept: KeptResults | null,
): Promise<Diagnostic[]> {
  const text = shown.map((it) => it.text).join('\n\n');
  const found = [...(await lintText(file, text, scanSecrets, kept)), ...toDiagnostics(file, text, findSteering(text))];
  return found.map((it) => ({ ...it, ...shown[(it.line - 1) / 2]?.at }));
}
