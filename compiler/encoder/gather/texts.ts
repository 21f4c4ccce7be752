import type { Documented } from './comments.ts';
import type { Group } from './groups.ts';
import type { Synset } from './wordnet.ts';

/** A text for the teacher to read, and where it comes from. */
export type Text = readonly [source: string, text: string];

/** Two texts that mean the same, more or less. */
export type Pair = readonly [source: string, a: string, b: string];

/** What a resource has to say to the model. */
export interface Lesson {
  readonly texts: readonly Text[];
  readonly pairs: readonly Pair[];
}

const DOC_CHARACTERS = 400;

/** Lemmas, definitions and examples, and the relations between synsets that are both given. */
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

/** Sentences of doc comments; the name goes with the comment, a sentence with the next one. */
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

/** Every word of a group means what the group means, and so does every other word of it. */
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

/** Several lessons as one. */
export function joined(lessons: readonly Lesson[]): Lesson {
  return { texts: lessons.flatMap(({ texts }) => texts), pairs: lessons.flatMap(({ pairs }) => pairs) };
}
