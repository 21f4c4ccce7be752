import { lintGarden } from '../../lint/lint-garden.ts';
import type { CountTokens } from '../../schema/count-tokens.ts';
import type { Diagnostic } from '../../schema/diagnostics.ts';
import { Agent } from '../../schema/source/agent.ts';
import { ENGLISH } from '../../schema/source/language.ts';
import type { Unit } from '../../schema/source/unit.ts';
import { SHARED } from '../../schema/uri.ts';
import type { UnitDraft } from './drafts.ts';

/** The inputs for linting a proposal. */
export interface LintInputs {
  /** Folder of the sources. */
  readonly folder: string;
  readonly countTokens: CountTokens;
  /** Units of the garden that are not proposed. */
  readonly others: readonly Unit[];
  /** The unit that a draft would become; null if it would be none. */
  readonly toUnit: (draft: UnitDraft) => Unit | null;
}

/** Maximum number of times that words with a lint warning are replaced; each time some of a finite list are used up. */
const ROUNDS = 40;

/**
 * Drafts without warnings that other words would fix: a description with a warning is replaced by the next one of the
 * section, and a trigger is removed. Units that exist keep the words of their author.
 *
 * @param isFresh whether the words of a draft are proposed now
 */
export function repaired(
  drafts: readonly UnitDraft[],
  inputs: LintInputs,
  isFresh: (draft: UnitDraft) => boolean,
): readonly UnitDraft[] {
  let now = drafts;
  for (let round = 0; round < ROUNDS; round++) {
    const faults = faultsOf(now, inputs, isFresh);
    if (faults.size === 0) break;
    now = now.map((it) => {
      const found = faults.get(it);
      return found === undefined ? it : mended(it, found);
    });
  }
  return now;
}

/** Warnings of lint on the words of drafts as they are, by draft and sentence. */
export function warnedIn(
  drafts: readonly UnitDraft[],
  inputs: LintInputs,
): (draft: UnitDraft, sentence: string) => Diagnostic | undefined {
  const faults = faultsOf(drafts, inputs, () => true);
  return (draft, sentence) => {
    const { unit, found = [] } = faults.get(draft) ?? {};
    const { description, load_triggers } = draft.entry;
    if (!unit) return undefined;
    if (sentence === description) return found.find(({ rule }) => rule.startsWith('description_'));
    const index = load_triggers?.intents?.indexOf(sentence) ?? -1;
    return found.find((it) => isTriggerAt(unit, it, index)) ?? found.find(({ rule }) => rule === 'boot_candidate');
  };
}

/** Whether a warning is about the trigger at an index. */
function isTriggerAt(unit: Unit, { rule, line, column }: Diagnostic, index: number): boolean {
  const at = unit.at('load_triggers.intents', index);
  return rule.startsWith('trigger_') && at.line === line && at.column === column;
}

/** Drafts of which none is without a trigger, where one keyword of it calls for no other unit too. */
export function reachable(
  drafts: readonly UnitDraft[],
  inputs: LintInputs,
  isFresh: (draft: UnitDraft) => boolean,
): readonly UnitDraft[] {
  const named = drafts.map((it) => (isFresh(it) ? withKeyword(it) : it));
  const faults = faultsOf(named, inputs, isFresh);
  return named.map((it, i) => (faults.has(it) ? (drafts[i] ?? it) : it));
}

function withKeyword(draft: UnitDraft): UnitDraft {
  const { intents = [], keywords = [] } = draft.entry.load_triggers ?? {};
  if (draft.keyword === null || intents.length + keywords.length > 0) return draft;
  return { ...draft, entry: { ...draft.entry, load_triggers: { intents: [], keywords: [draft.keyword] } } };
}

/** An agent, since some rules ask what all units of one have in common. */
const SOMEBODY = {
  config: Agent.parse({
    agent_id: '00000000-0000-4000-8000-000000000000',
    role: 'Somebody',
    heartbeat_contract: 'heartbeat',
  }),
  file: 'agent.yaml',
  at: () => ({ line: 1, column: 1 }),
};

/** Warnings of lint on one draft. */
interface Faults {
  readonly unit: Unit;
  readonly found: readonly Diagnostic[];
}

/** Rules that other words satisfy. */
const OF_WORDS: ReadonlySet<string> = new Set([
  'boot_candidate',
  'description_overlap',
  'description_says_little',
  'trigger_overlap',
  'trigger_repeats_content',
]);

function faultsOf(
  drafts: readonly UnitDraft[],
  { folder, countTokens, others, toUnit }: LintInputs,
  isFresh: (draft: UnitDraft) => boolean,
): ReadonlyMap<UnitDraft, Faults> {
  const units = drafts.flatMap((draft) => {
    const unit = toUnit(draft);
    return unit ? [{ draft, unit }] : [];
  });
  // of two units with the same words the later one is warned of, and only a fresh one can give way
  const inOrder = [...units.filter((it) => !isFresh(it.draft)), ...units.filter((it) => isFresh(it.draft))];
  const found = lintGarden({
    folder,
    agent: SOMEBODY,
    // the rules of words are the same for any
    language: ENGLISH,
    units: [...others.filter(({ garden }) => garden !== SHARED), ...inOrder.map(({ unit }) => unit)],
    shared: others.filter(({ garden }) => garden === SHARED),
    boot: '',
    phrases: { own: null, shared: null },
    wakeReasons: [],
    countTokens,
  });
  const ofWords = found.filter(({ rule }) => OF_WORDS.has(rule));
  return new Map(
    units.flatMap(({ draft, unit }) => {
      const own = ofWords.filter(({ file }) => file === unit.file);
      return own.length > 0 && isFresh(draft) ? [[draft, { unit, found: own }] as const] : [];
    }),
  );
}

function mended(draft: UnitDraft, { unit, found }: Faults): UnitDraft {
  const { intents = [], keywords = [] } = draft.entry.load_triggers ?? {};
  const isBroad = found.some(({ rule }) => rule === 'boot_candidate');
  const kept = intents.filter((_, i) => !found.some((it) => isTriggerAt(unit, it, i)));
  // keywords are what most siblings' triggers meet first; without any, the last trigger
  const narrowed = isBroad && keywords.length === 0 ? kept.slice(0, -1) : kept;
  const load_triggers = { intents: narrowed, keywords: isBroad ? [] : [...keywords] };
  const [next = draft.entry.description, ...others] = draft.descriptions;
  const isToldAnew = found.some(({ rule }) => rule.startsWith('description_'));
  const description = isToldAnew ? next : draft.entry.description;
  const descriptions = isToldAnew ? others : draft.descriptions;
  return { ...draft, entry: { ...draft.entry, description, load_triggers }, descriptions };
}
