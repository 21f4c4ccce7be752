/** Evidence of how common words are. */
export interface WordEvidence {
  /** The size of SCOWL's smallest list that has the word: 10 for the most common words, 70 for rare ones. */
  readonly levels: ReadonlyMap<string, number>;
  /** The teacher's whole words, most frequent first. */
  readonly teacher: readonly string[];
  /** Uses in the gathered texts. */
  readonly uses: ReadonlyMap<string, number>;
  /** Words that are always in the vocabulary: those of the groups and of software work. */
  readonly kept: ReadonlySet<string>;
}

/** The words of the table (endings, then words from common to rare), and the forms that two of them compose. */
export interface TableVocabulary {
  readonly words: readonly string[];
  readonly forms: readonly string[];
}

/** Endings of word forms; each is a token of its own. */
export const ENDINGS = 'est s ed ing ly er ers es ness d less ful able ment ments'.split(' ');

/** The rank among all words for each of SCOWL's sizes. */
const LEVEL_RANKS = new Map([
  [10, 1500],
  [20, 7000],
  [35, 22_000],
  [40, 34_000],
  [50, 48_000],
  [55, 60_000],
  [60, 70_000],
]);
const UNLISTED_RANK = 90_000;
const UNREAD_RANK = 40_000;
const UNUSED_RANK = 70_000;

/** Regular forms of these most common words are tokens; those of other words are composed of two tokens. */
const WHOLE_FORMS = 7000;
const REGULAR = ['s', 'ed', 'ing', 'ly', 'es', 'ness', 'ers', 'er'];

/** Chooses the words of the table by the weighted geometric mean of three independent ranks. */
export function chooseVocabulary(evidence: WordEvidence, size: number): TableVocabulary {
  const score = scorer(evidence);
  const candidates = [...new Set([...evidence.levels.keys(), ...evidence.teacher, ...evidence.uses.keys()])]
    .filter((word) => /^[a-z]{2,}$/.test(word))
    .map((word) => ({ word, ...score(word) }))
    .filter(({ plain }) => plain)
    .sort((a, b) => a.rank - b.rank || (a.word < b.word ? -1 : 1));
  const chosen = new Set([...ENDINGS, ...[...evidence.kept].sort()]);
  const forms: string[] = [];
  for (const [i, { word }] of candidates.entries()) {
    if (chosen.size >= size) break;
    if (chosen.has(word)) continue;
    if (i > WHOLE_FORMS && isRegularForm(word, chosen)) forms.push(word);
    else chosen.add(word);
  }
  const order = new Map(candidates.map(({ word }, i) => [word, i]));
  const placeOf = (word: string) => order.get(word) ?? size;
  const body = [...chosen].filter((word) => !ENDINGS.includes(word));
  body.sort((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1));
  return { words: [...ENDINGS, ...body], forms };
}

function scorer({ levels, teacher, uses }: WordEvidence): (word: string) => { rank: number; plain: boolean } {
  const read = new Map(teacher.map((word, i) => [word, i]));
  const used = new Map(
    [...uses].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([word], i) => [word, i] as const),
  );
  return (word) => {
    const level = LEVEL_RANKS.get(levels.get(word) ?? 0) ?? UNLISTED_RANK;
    const reading = read.get(word) ?? UNREAD_RANK;
    const use = used.get(word) ?? UNUSED_RANK;
    const rank = 0.3 * Math.log(level + 300) + 0.35 * Math.log(reading + 300) + 0.35 * Math.log(use + 300);
    return { rank, plain: level < UNLISTED_RANK || reading < 9000 || use < 6000 };
  };
}

function isRegularForm(word: string, chosen: ReadonlySet<string>): boolean {
  return REGULAR.some(
    (ending) => word.endsWith(ending) && word.length - ending.length >= 3 && chosen.has(word.slice(0, -ending.length)),
  );
}
