import type { Diagnostic } from '../../schema/diagnostics.ts';
import { unitDiagnostic, type LintedGarden } from './linted-garden.ts';

/** Fences and comments that end only with the file: the text behind them was hardly meant to be code, or hidden. */
export function findOpenMarkup({ units }: LintedGarden): Diagnostic[] {
  return units.flatMap((unit) =>
    unit.unclosed.map(({ what, at }) => {
      const message = `this ${what} is never closed: everything after it belongs to it`;
      return unitDiagnostic(
        'markup_open',
        unit,
        message,
        'close it; around a text with fences, use a longer fence',
        at,
      );
    }),
  );
}
