import { TEXT_RULES } from '../schema/bundle/coverage.ts';
import { SECURITY_RULES, type Diagnostic, type RuleId } from '../schema/diagnostics.ts';
import { VadeError, type ErrorCode } from '../schema/errors.ts';

/**
 * The error code of a refused publication (§21.8.3), by the rules of its diagnostics; of several codes, the first here:
 * malformed entries, then limits, then missing approvals, then coverage.
 */
const CODES: readonly (readonly [ErrorCode, ReadonlySet<RuleId>])[] = [
  [
    'manifest_entry_invalid',
    new Set<RuleId>([
      'manifest_entry_invalid',
      'value_invalid',
      'description_too_long',
      'path_invalid',
      'path_missing',
      'yaml_invalid',
      'front_matter_invalid',
      'unit_too_large',
      ...SECURITY_RULES,
    ]),
  ],
  ['task_type_unknown', new Set<RuleId>(['task_type_unknown'])],
  ['guarantee_cap_exceeded', new Set<RuleId>(['guarantee_cap_exceeded'])],
  ['manifest_too_large', new Set<RuleId>(['manifest_too_large'])],
  ['task_types_approval_required', new Set<RuleId>(['task_types_approval_required'])],
  ['guarantee_approval_required', new Set<RuleId>(['guarantee_approval_required'])],
  ['position_approval_required', new Set<RuleId>(['position_approval_required'])],
  ['bypass_approval_required', new Set<RuleId>(['bypass_approval_required'])],
  ['manifest_coverage_failure', new Set<RuleId>(['coverage_failure', 'coverage_not_evaluated', ...TEXT_RULES])],
];

/** For diagnostics of other rules, or of files that the publication does not concern. */
const OTHERS: (typeof CODES)[number] = ['sources_invalid', new Set()];

/** The scope of a publication: the files it changed, and the inputs of its manifest. */
export interface Published {
  readonly changed: ReadonlySet<string>;
  readonly concerns: (file: string) => boolean;
}

/** One error for all diagnostics, which are in its details; null if nothing prevents the publication. */
export function refusalOf(diagnostics: readonly Diagnostic[], { changed, concerns }: Published): VadeError | null {
  // the publication itself would put the unit into quarantine, so it is refused
  const quarantines = (it: Diagnostic) => SECURITY_RULES.has(it.rule) && changed.has(it.file);
  const blocking = diagnostics.filter((it) => it.severity === 'error' || quarantines(it));
  if (blocking.length === 0) return null;
  const own = blocking.filter((it) => concerns(it.file));
  const [code, rules] = CODES.find(([, rules]) => own.some((it) => rules.has(it.rule))) ?? OTHERS;
  const first = own.find((it) => rules.has(it.rule)) ?? blocking[0];
  const more = blocking.length > 1 ? `, and ${blocking.length - 1} more` : '';
  return new VadeError(code, `${first?.message ?? ''}${more}; nothing was published`, {
    ...first?.details,
    faults: blocking,
  });
}
