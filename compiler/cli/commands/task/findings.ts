import type { Warning } from '../../../app/world/world.ts';
import type { Diagnostic } from '../../../schema/diagnostics.ts';

/** Diagnostics that stop nothing, as warnings of the output. */
export function warningsOf(found: readonly Diagnostic[]): Warning[] {
  return found.map((it) => ({ code: it.rule.toUpperCase(), message: it.message, context: it }));
}
