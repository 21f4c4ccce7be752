import { terms, words } from '../../recall/signals/lexical.ts';
import { stem } from '../../recall/signals/stem.ts';
import type { CountTokens } from '../../schema/count-tokens.ts';
import { type RuleId, type Position, type Diagnostic, diagnostic } from '../../schema/diagnostics.ts';
import type { Language } from '../../schema/source/language.ts';
import type { Unit } from '../../schema/source/unit.ts';
import type { ConfiguredAgent, ConfiguredPhrases } from '../../sources/config.ts';

/** One garden as lint sees it: before it has a history, an index or approvals. */
export interface LintedGarden {
  readonly folder: string;
  /** Null for the shared garden. */
  readonly agent: ConfiguredAgent | null;
  /** The language that the handbook says it is written in. */
  readonly language: Language;
  /** The garden's own units. */
  readonly units: readonly Unit[];
  /** Shared units, which recall searches together with the agent's own. */
  readonly shared: readonly Unit[];
  /** The text of `boot.md`, empty without one. */
  readonly boot: string;
  /** Those of the garden's own units, and, for an agent, those of the shared ones. */
  readonly phrases: { readonly own: ConfiguredPhrases | null; readonly shared: ConfiguredPhrases | null };
  readonly wakeReasons: readonly string[];
  /** Names that other gardens link to or name; used for the shared garden only. */
  readonly namedElsewhere?: ReadonlySet<string>;
  readonly countTokens: CountTokens;
}

/** A diagnostic about a unit, at the position of a front matter key. */
export function unitDiagnostic(
  rule: RuleId,
  unit: Unit,
  message: string,
  help: string,
  at: Position = unit.at('description'),
  severity?: Diagnostic['severity'],
): Diagnostic {
  return diagnostic(rule, unit.file, message, help, at, severity);
}

/** The words of a phrase that carry meaning, stemmed; all of them if none does. */
export function meaning(phrase: string): string[] {
  const found = terms(phrase, false);
  return found.length > 0 ? found : words(phrase).map(stem);
}

/** The units that an agent can recall: its own and the shared ones. */
export function allUnits({ units, shared }: LintedGarden): readonly Unit[] {
  return [...units, ...shared];
}
