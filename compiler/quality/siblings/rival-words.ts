import type { RecallGarden } from '../../recall/recall-garden.ts';
import { terms, words } from '../../recall/signals/lexical.ts';
import { MAX_SHARED_WORDS, type Rivalry } from '../../schema/report/siblings.ts';

/** The words by which two units compete, as people write them. */
type RivalWords = (
  unit: number,
  rival: number,
  contested: readonly string[],
) => Pick<Rivalry, 'shared_words' | 'drawn_by'>;

/** Finds in the lexical index the words because of which units compete. */
export function createRivalWords(garden: RecallGarden): RivalWords {
  const impacts = impactsOf(garden);
  const titles = garden.facts.map(({ name, delivery: { load_triggers: it, description } }) =>
    spell([...it.intents, ...it.keywords, description, name].join('\n')),
  );
  return (unit, rival, contested) => {
    const weightIn = (at: number, stem: string) => impacts[at]?.get(stem) ?? 0;
    const lesser = (stem: string) => Math.min(weightIn(unit, stem), weightIn(rival, stem));
    const lead = (stem: string) => weightIn(rival, stem) - weightIn(unit, stem);
    const own = titles[unit] ?? new Map<string, string>();
    const contestedWords = spell(contested.join('\n'));
    const shared = [...own].filter(([stem]) => titles[rival]?.has(stem));
    return { shared_words: heaviest(shared, lesser), drawn_by: heaviest([...contestedWords], lead) };
  };
}

/** The weight of each unit's words in the lexical index, by stem; without word pairs, which an author cannot act on. */
function impactsOf({ index: { lexical, names } }: RecallGarden): Map<string, number>[] {
  const impacts = names.map(() => new Map<string, number>());
  lexical.terms.forEach((term, t) => {
    if (term.includes(' ')) return;
    for (let i = lexical.starts[t] ?? 0; i < (lexical.starts[t + 1] ?? 0); i += 2) {
      impacts[lexical.postings[i] ?? 0]?.set(term, lexical.postings[i + 1] ?? 0);
    }
  });
  return impacts;
}

/** The stems of a text, each with its first word. */
function spell(text: string): Map<string, string> {
  const spelling = new Map<string, string>();
  for (const word of words(text)) {
    const [stem] = terms(word, false);
    if (stem !== undefined && !spelling.has(stem)) spelling.set(stem, word);
  }
  return spelling;
}

/** The words with a positive weight, heaviest first. */
function heaviest(spelled: readonly (readonly [string, string])[], weightOf: (stem: string) => number): string[] {
  const weighed = spelled.map(([stem, word]) => ({ word, weight: weightOf(stem) })).filter((it) => it.weight > 0);
  weighed.sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1));
  return weighed.slice(0, MAX_SHARED_WORDS).map(({ word }) => word);
}
