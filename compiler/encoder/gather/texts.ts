import type { Documented } from './comments.ts';
import type { Group } from './groups.ts';
import type { Synset } from './wordnet.ts';

/** A text for the teacher, with its source. */
export type Text = readonly [source: string, text: string];

/** Two texts with about the same meaning. */
export type Pair = readonly [source: string, a: string, b: string];

/** The training data of one resource. */
export interface Lesson {
  readonly texts: readonly Text[];
  readonly pairs: readonly Pair[];
}

const DOC_CHARACTERS = 400;

/** Lemmas, definitions and examples of given synsets, and the relations between them. */
export function fromWordnet(synsets: readonly Synset[]): Lesson {
  const given = new Map(synsets.map((synset) => [synset.id, synset]));
  return joined(
    synsets.map(({ lemmas, definition, examples, relations }): Lesson => {
      const [first = '', second, third] = lemmas;
      const related = relations.flatMap(({ symbol, target }): Pair[] => {
        const [other] = given.get(target)?.lemmas ?? [];
        return other !== undefined && '@+&$^*>\\='.includes(symbol) ? [['related', first, other]] : [];
      });
      return {
        texts: [
          ['definition', definition],
          ...examples.map((text): Text => ['example', text]),
          ...lemmas.map((text): Text => ['lemma', text]),
        ],
        pairs: [
          ...lemmas.slice(0, 3).map((lemma): Pair => ['defined', lemma, definition]),
          ...(second === undefined ? [] : [['synonym', first, second] as const]),
          ...(second === undefined || third === undefined ? [] : [['synonym', second, third] as const]),
          ...examples.slice(0, 2).map((example): Pair => ['defined', example, definition]),
          ...related,
        ],
      };
    }),
  );
}

/** Sentences of doc comments; a name is paired with its comment, and a sentence with the next one. */
export function fromComments(comments: readonly Documented[]): Lesson {
  const seen = new Set<string>();
  const fresh = comments.filter(({ text }) => {
    const key = text.slice(0, 90).toLowerCase();
    return !seen.has(key) && seen.add(key);
  });
  return joined(
    fresh.map(({ name, text }): Lesson => {
      const prose = text.slice(0, DOC_CHARACTERS);
      const sentences = prose.split(/(?<=[.!?])\s+/).filter((it) => it.split(' ').length > 3);
      const [first, next] = sentences;
      return {
        texts: sentences.slice(0, 2).map((it): Text => ['comment', it]),
        pairs: [
          ...(name === '' ? [] : [['named', name, prose] as const]),
          ...(first === undefined || next === undefined ? [] : [['next', first, next] as const]),
        ],
      };
    }),
  );
}

/** Pairs each word of a group with the meaning of the group and with each other word. */
export function fromGroups(groups: readonly Group[]): Lesson {
  return joined(
    groups.map(({ means, words, examples }): Lesson => ({
      texts: [means, ...words, ...examples].map((text): Text => ['group', text]),
      pairs: [
        ...[...words, ...examples].map((text): Pair => ['group', text, means]),
        ...words.flatMap((a, i) => words.slice(i + 1).map((b): Pair => ['group', a, b])),
      ],
    })),
  );
}

/** Joins several lessons into one. */
export function joined(lessons: readonly Lesson[]): Lesson {
  return { texts: lessons.flatMap(({ texts }) => texts), pairs: lessons.flatMap(({ pairs }) => pairs) };
}
