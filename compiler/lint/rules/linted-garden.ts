import { stemmer } from 'stemmer';
import { terms } from '../../recall/signals/lexical.ts';
import { type RuleId, type Position, type Diagnostic, diagnostic } from '../../schema/diagnostics.ts';
import type { CountTokens } from '../../schema/ports.ts';
import type { Unit } from '../../schema/source/unit.ts';
import type { ConfiguredAgent } from '../../sources/config.ts';

/** One garden as lint looks at it: before it has a history, an index or approvals. */
export interface LintedGarden {
  readonly folder: string;
  /** Null for the shared garden. */
  readonly agent: ConfiguredAgent | null;
  /** The garden's own units. */
  readonly units: readonly Unit[];
  /** Shared units, which are recalled with an agent's own. */
  readonly shared: readonly Unit[];
  /** The text of `boot.md`, empty without one. */
  readonly boot: string;
  readonly wakeReasons: readonly string[];
  /** Names that other gardens link to or name; asked of the shared garden alone. */
  readonly namedElsewhere?: ReadonlySet<string>;
  readonly countTokens: CountTokens;
}

/** Where a unit declares something, for a fault that is about it. */
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

/** The words of a phrase that carry meaning, stemmed. */
export function meaning(phrase: string): string[] {
  return terms(phrase, false, stemOnce);
}

/** Stems that are remembered; no garden is written in more words, and a hostile one must not fill the memory. */
const REMEMBERED = 50_000;
const LONGEST = 40;
const stems = new Map<string, string>();

/** Several rules ask for the same texts, which say the same words again and again. */
function stemOnce(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem = stemmer(word);
  if (stems.size < REMEMBERED && word.length <= LONGEST) stems.set(word, stem);
  return stem;
}

/** What an agent is given of a garden: its own units, and the shared ones. */
export function allUnits({ units, shared }: LintedGarden): readonly Unit[] {
  return [...units, ...shared];
}
