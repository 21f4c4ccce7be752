import { terms } from '../../recall/signals/lexical.ts';
import { MOST_TRIGGERS } from '../../schema/source/brief-answer.ts';

/** From this share of the fewer words on, two phrases say the same. */
const ALIKE = 0.8;

/** Intents of a unit, and those that could take the place of one. */
export interface Choice {
  readonly intents: readonly string[];
  readonly spare: readonly string[];
}

/** Adds to the kept intents the first spare ones that say something else than each of them. */
export function choose(kept: readonly string[], spare: readonly string[], most = MOST_TRIGGERS): Choice {
  const intents = [...kept];
  const stems = kept.map(stemsOf);
  for (const phrase of spare) {
    const own = stemsOf(phrase);
    if (intents.length >= most || stems.some((it) => isTwin(it, own))) continue;
    intents.push(phrase);
    stems.push(own);
  }
  return { intents, spare: spare.filter((it) => !intents.includes(it)) };
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
