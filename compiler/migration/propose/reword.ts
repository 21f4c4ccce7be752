import type { Diagnostic } from '../../schema/diagnostics.ts';
import type { UnitWords } from '../../schema/source/brief-answer.ts';
import type { UnitDraft } from './drafts.ts';

/** Words that somebody gives for proposed units, by the names that they were proposed with. */
export type Words = ReadonlyMap<string, UnitWords>;

/** A draft as it was answered. */
export interface Reworded {
  readonly draft: UnitDraft;
  /** Null where nobody gave words for it. */
  readonly said: UnitWords | null;
}

/**
 * Drafts with the words of an answer. A description that lint refuses is replaced by the one that would be proposed
 * without an answer.
 */
export function reword(drafts: readonly UnitDraft[], words: Words): readonly Reworded[] {
  return drafts.map((draft) => {
    const said = words.get(draft.entry.name) ?? null;
    return { draft: said === null ? draft : withWords(draft, said), said };
  });
}

function withWords(draft: UnitDraft, said: UnitWords): UnitDraft {
  const { name, description, load_triggers } = draft.entry;
  const { intents = [], keywords = [] } = load_triggers ?? {};
  return {
    ...draft,
    entry: {
      name: said.name ?? name,
      description: said.description ?? description,
      load_triggers: { keywords: [...keywords], intents: [...(said.triggers ?? intents)] },
    },
    descriptions: [description, ...draft.descriptions],
    isKnown: false,
  };
}

/** A sentence of an answer that the proposal does not have where it was meant. */
export interface Refused {
  readonly unit: string;
  readonly sentence: string;
  readonly why: string;
  /** Whether it is a trigger that the coverage gate refuses. */
  readonly byGate: boolean;
}

/**
 * Nothing of an answer is dropped silently: each sentence that the proposal does not have, with the reason.
 *
 * @param proposed the same drafts after the gates
 * @param warned what lint says of sentences of the answer, by unit and sentence
 */
export function refusals(
  answered: readonly Reworded[],
  proposed: readonly UnitDraft[],
  warned: (draft: UnitDraft, sentence: string) => Diagnostic | undefined,
): Refused[] {
  return answered.flatMap(({ draft, said }, i) => {
    const now = proposed[i]?.entry;
    if (said === null || now === undefined) return [];
    const kept = [now.description, ...(now.load_triggers?.intents ?? [])];
    const { description, triggers = [] } = said;
    const asked = [...(description === undefined ? [] : [description]), ...triggers];
    return asked
      .filter((it) => !kept.includes(it))
      .map((sentence) => {
        const fault = warned(draft, sentence);
        const why = fault ? `${fault.message} [${fault.rule}]` : 'the coverage gate would not find the unit by it';
        return { unit: now.name, sentence, why, byGate: !fault && triggers.includes(sentence) };
      });
  });
}

/** The notices of refused sentences, with what became of them. */
export function refusalNotices(
  refused: readonly Refused[],
  phrases: ReadonlyMap<string, { readonly phrases: readonly string[] }>,
): string[] {
  return refused.map(({ unit, sentence, why }) => {
    const isPhrase = phrases.get(unit)?.phrases.includes(sentence) === true;
    return isPhrase
      ? `${unit}: “${sentence}” is a phrase, and not a trigger: ${why}`
      : `${unit}: “${sentence}” was not used: ${why}`;
  });
}
