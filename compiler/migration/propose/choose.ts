import { terms } from '../../recall/signals/lexical.ts';
import { MOST_TRIGGERS } from '../../schema/source/brief-answer.ts';

/** From this share of the fewer words on, two phrases say the same. */
const ALIKE = 0.8;

/** The first phrases of which none says the same as one before it. */
export function choose(phrases: readonly string[]): string[] {
  const chosen: { phrase: string; stems: ReadonlySet<string> }[] = [];
  for (const phrase of phrases) {
    const stems = stemsOf(phrase);
    const isNew = chosen.every((it) => !isTwin(it.stems, stems));
    if (isNew && chosen.length < MOST_TRIGGERS) chosen.push({ phrase, stems });
  }
  return chosen.map(({ phrase }) => phrase);
}

const stemsOf = (phrase: string): ReadonlySet<string> => new Set(terms(phrase, false));

/**
 * Whether one of two phrases says nothing that the other does not: a word added or left out is another dress. One word
 * says little, so a phrase with two words more than it is another phrase.
 */
function isTwin(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const common = [...a].filter((it) => b.has(it)).length;
  const fewer = Math.min(a.size, b.size);
  return fewer === 1 ? common === 1 && Math.max(a.size, b.size) <= 2 : common >= ALIKE * fewer;
}
