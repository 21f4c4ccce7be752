import type { LegacyText } from '../../../compiler/migration/documents/known-unit.ts';
import { draftAll, readCurrentState } from '../../../compiler/migration/propose/drafts.ts';
import { planOf } from '../../../compiler/migration/propose/plan.ts';
import { present } from '../../../compiler/migration/propose/present.ts';
import type { Migration, MigrationOptions } from '../../../compiler/migration/propose/proposal.ts';
import { dissect } from '../../../compiler/migration/propose/split.ts';
import type { CountTokens } from '../../../compiler/schema/count-tokens.ts';

/** The texts of most tests are tiny; what becomes of such sections has tests of its own. */
const NOTHING_IS_SHORT = (of: CountTokens) => (text: string) => Math.max(20, of(text));

/** Steps of `proposeSettled` without the coverage gate: one unit a section, whether a trigger finds it or not. */
export function proposeUnits(
  documents: readonly LegacyText[],
  existing: ReadonlyMap<string, string>,
  options: MigrationOptions,
  measure = NOTHING_IS_SHORT(options.countTokens),
): Migration {
  const dissected = dissect(documents, measure);
  const plan = planOf(dissected, existing, options);
  const drafts = draftAll(plan.sections, readCurrentState(existing), options.taken ?? []);
  return { ...present(dissected, plan, drafts, documents, existing, options), phrases: new Map() };
}
