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
 * Drafts with the words of an answer. A word that a gate refuses is replaced by the one that would be proposed without
 * an answer.
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
  const triggers = said.triggers ?? intents;
  return {
    ...draft,
    entry: {
      name: said.name ?? name,
      description: said.description ?? description,
      load_triggers: { keywords: [...keywords], intents: [...triggers] },
    },
    spare: [...intents, ...draft.spare].filter((it) => !triggers.includes(it)),
    descriptions: [description, ...draft.descriptions],
    isKnown: false,
  };
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
): string[] {
  return answered.flatMap(({ draft, said }, i) => {
    const now = proposed[i]?.entry;
    if (said === null || now === undefined) return [];
    const kept = [now.description, ...(now.load_triggers?.intents ?? [])];
    const asked = [...(said.description === undefined ? [] : [said.description]), ...(said.triggers ?? [])];
    return asked
      .filter((it) => !kept.includes(it))
      .map((it) => {
        const fault = warned(draft, it);
        const why = fault ? `${fault.message} [${fault.rule}]` : 'the coverage gate would not find the unit by it';
        return `${now.name}: “${it}” was not used: ${why}`;
      });
  });
}
