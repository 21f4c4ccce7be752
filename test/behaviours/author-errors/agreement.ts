import { lintSources } from '../../../compiler/app/lint/lint-sources.ts';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import type { Diagnostic, RuleId } from '../../../compiler/schema/diagnostics.ts';
import type { Sources } from '../../../compiler/schema/source/sources.ts';
import { placeOf } from './row.ts';

/** Rules that only a compile can judge: they take a history, an index, a judge or signed approvals. */
const COMPILE_ALONE: ReadonlySet<RuleId> = new Set<RuleId>([
  'boot_stub_too_large',
  'guarantee_approval_required',
  'manifest_too_large',
  'position_approval_required',
  'task_types_approval_required',
]);

/** The errors that `vade lint` tells of sources. */
export async function lintErrors(sources: Sources): Promise<string[]> {
  const { faults } = await lintSources(sources, { countTokens });
  return faults.filter(({ severity }) => severity === 'error').map(placeOf);
}

/** Of the faults of a compile, the errors that a lint has to tell too. */
export function compileErrors(faults: readonly Diagnostic[]): string[] {
  return faults.filter(({ severity, rule }) => severity === 'error' && !COMPILE_ALONE.has(rule)).map(placeOf);
}
