import { isCutShort } from '../build/manifest/unit-listing.ts';
import { SECURITY_RULES, type Diagnostic, type RuleId } from '../schema/diagnostics.ts';
import { VadeError, type ErrorCode } from '../schema/errors.ts';

/**
 * What a publication is refused for (§21.8.3), by the rules of the compiler; of several, the first here: what is
 * malformed, before what is too much, before what nobody agreed to, before what is not found.
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
  ['manifest_too_large', new Set<RuleId>(['manifest_too_large', 'manifest_trimmed'])],
  ['task_types_approval_required', new Set<RuleId>(['task_types_approval_required'])],
  ['guarantee_approval_required', new Set<RuleId>(['guarantee_approval_required'])],
  ['position_approval_required', new Set<RuleId>(['position_approval_required'])],
  ['bypass_approval_required', new Set<RuleId>(['bypass_approval_required'])],
  ['manifest_coverage_failure', new Set<RuleId>(['coverage_failure'])],
];

/** What is wrong with the sources themselves, or with another agent's. */
const OTHERS: (typeof CODES)[number] = ['sources_invalid', new Set()];

/** What a publication is about: the files it changed, and everything its manifest is made from. */
export interface Published {
  readonly changed: ReadonlySet<string>;
  readonly concerns: (file: string) => boolean;
}

/** The one code for all that is wrong, with every fault in its details; null where nothing stands in the way. */
export function refusalOf(faults: readonly Diagnostic[], { changed, concerns }: Published): VadeError | null {
  // a unit that this very publication would have held back is refused: what was asked for would not come about
  const brought = (it: Diagnostic) => SECURITY_RULES.has(it.rule) && changed.has(it.file);
  // §21.2.1: what is published is never trimmed, whatever a compile may do with sources
  const tooLarge = (it: Diagnostic) => isCutShort(it) && concerns(it.file);
  const standing = faults.filter((it) => it.severity === 'error' || brought(it) || tooLarge(it));
  if (standing.length === 0) return null;
  const own = standing.filter((it) => concerns(it.file));
  const [code, rules] = CODES.find(([, rules]) => own.some((it) => rules.has(it.rule))) ?? OTHERS;
  const first = own.find((it) => rules.has(it.rule)) ?? standing[0];
  const more = standing.length > 1 ? `, and ${standing.length - 1} more` : '';
  return new VadeError(code, `${first?.message ?? ''}${more}; nothing was published`, {
    ...first?.details,
    faults: standing,
  });
}
