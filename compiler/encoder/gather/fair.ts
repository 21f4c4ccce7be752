import type { Group } from './groups.ts';
import type { Lesson, Pair, Text } from './texts.ts';
import type { Synset } from './wordnet.ts';

/**
 * Removes the texts and pairs that a held-out resource also has. A meaning is held out, not a line of a file,
 * and some texts and many pairs of words are in several resources.
 */
export function keepFair(lesson: Lesson, heldSynsets: readonly Synset[], heldGroups: readonly Group[]): Lesson {
  const prose = new Set<string>();
  const members = new Map<string, Set<string>>();
  const hold = (id: string, texts: readonly string[], sayings: readonly string[]) => {
    for (const text of sayings) prose.add(text.toLowerCase());
    for (const text of [...texts, ...sayings]) {
      const key = text.toLowerCase();
      members.set(key, (members.get(key) ?? new Set()).add(id));
    }
  };
  for (const { id, lemmas, definition, examples } of heldSynsets) hold(id, lemmas, [definition, ...examples]);
  for (const { id, words, means, examples } of heldGroups) hold(id, words, [means, ...examples]);
  const shareMeaning = ([, a, b]: Pair) => {
    const ofB = members.get(b.toLowerCase());
    return ofB !== undefined && [...(members.get(a.toLowerCase()) ?? [])].some((id) => ofB.has(id));
  };
  return {
    texts: lesson.texts.filter(([, text]: Text) => !prose.has(text.toLowerCase())),
    pairs: lesson.pairs.filter((pair) => !shareMeaning(pair)),
  };
}
