import type { Lexicon, Part } from '../../schema/source/lexicon.ts';

/** The synonyms of a word or phrase. */
export type Thesaurus = (part: Part, phrase: string) => readonly string[];

const LETTERS: Readonly<Record<string, Part>> = { n: 'noun', v: 'verb', a: 'adjective', r: 'adverb' };

/** Words that are too general to have a synonym. */
const GENERAL = new Set(
  (
    'be have do make get go take give put come let keep need want know see say tell ask use like look try please thing ' +
    'day time way one people person man woman human year lot bit something someone anything nothing now just so very ' +
    'too also only not really right well good new much many more most first last next other same back mean happen kind ' +
    'sort end second minute hour week month today tomorrow yesterday instead rather'
  )
    .split(' ')
    .concat('go to', 'go back', 'make it', 'come on'),
);

/** Indexes a lexicon: the project's own groups first, because they are about work. */
export function createThesaurus({ groups, synsets }: Lexicon): Thesaurus {
  const found = new Map<string, string[]>();
  const add = (part: Part, phrase: string, synonyms: readonly string[]) => {
    const key = `${part} ${foldSpelling(phrase)}`;
    const before = found.get(key) ?? [];
    found.set(key, [...before, ...synonyms.filter((it) => it !== phrase && !before.includes(it))]);
  };
  for (const [part, sets] of Object.entries(groups)) {
    for (const words of Object.values(sets)) for (const word of words) add(part as Part, word, words);
  }
  for (const [id, { say, for: more }] of Object.entries(synsets)) {
    for (const word of [...say, ...more]) add(LETTERS[id[0] ?? ''] ?? 'noun', word, say);
  }
  return (part, phrase) => (GENERAL.has(phrase) ? [] : (found.get(`${part} ${foldSpelling(phrase)}`) ?? []));
}

/** Makes British and American spelling equal, and hyphens and spaces. */
const foldSpelling = (phrase: string) =>
  phrase
    .toLowerCase()
    .replace(/yz|yze$/, 'ys')
    .replace(/iz(?=e|at)/, 'is')
    .replaceAll('-', ' ');
