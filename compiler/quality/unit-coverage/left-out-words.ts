import type { RecallGarden } from '../../recall/recall-garden.ts';
import { countTriggers, impactWith, scaleSum, type CountedTriggers } from '../../recall/signals/lexical.ts';
import { ENGLISH_WORDS, queryTerms } from '../../recall/signals/terms.ts';
import type { JudgedUnit } from './judged-unit.ts';

/** A unit's lexical score for a text, in millionths, as if it did not have some of its triggers. */
export type TriggerlessLexical = (unit: JudgedUnit, without: readonly string[], text: string) => number;

/** Scores units by words without some of their triggers. What the index knows of the other units stays as it is. */
export function createTriggerlessLexical({ index, facts }: RecallGarden): TriggerlessLexical {
  const triggersOf = (unit: number, without: readonly string[]) => {
    const { intents = [], keywords = [] } = facts[unit]?.delivery.load_triggers ?? {};
    return countTriggers([...intents.filter((it) => !without.includes(it)), ...keywords], index.lexical);
  };
  const indexed = facts.map((_, unit) => triggersOf(unit, []));
  const average = Math.max(1, indexed.reduce((all, { length }) => all + length, 0) / Math.max(1, facts.length));
  const counted = new Map<readonly string[], CountedTriggers>();
  const { lexical } = index;
  const { functionWords = ENGLISH_WORDS } = lexical;
  return ({ name }, without, text) => {
    const unit = index.named.get(name) ?? -1;
    const other = counted.get(without) ?? triggersOf(unit, without);
    counted.set(without, other);
    const both = { indexed: indexed[unit] ?? other, other };
    let sum = 0;
    let mass = 0;
    for (const term of queryTerms(text, functionWords, index.terms)) {
      const t = index.terms.get(term);
      const idf = t === undefined ? lexical.unknown_idf : (lexical.idf[t] ?? 0);
      mass += idf;
      const impact = t === undefined ? 0 : impactOf(lexical, t, unit);
      if (impact > 0) sum += impactWith(term, { idf, impact }, both, average);
    }
    return scaleSum(lexical, unit, sum, mass);
  };
}

/** The impact of a term on a unit, by binary search: the postings of a term are in the order of the units. */
function impactOf({ starts, postings }: RecallGarden['index']['lexical'], term: number, unit: number): number {
  let from = (starts[term] ?? 0) >> 1;
  let to = (starts[term + 1] ?? 0) >> 1;
  const end = to;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((postings[2 * middle] ?? 0) < unit) from = middle + 1;
    else to = middle;
  }
  return from < end && postings[2 * from] === unit ? (postings[2 * from + 1] ?? 0) : 0;
}
