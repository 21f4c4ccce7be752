/** What is known of how common a word is. */
export interface Evidence {
  /** SCOWL's size by word: 10 is in every small dictionary, 70 only in large ones. */
  readonly levels: ReadonlyMap<string, number>;
  /** The teacher's whole words, most frequent first. */
  readonly teacher: readonly string[];
  /** Uses in the gathered texts. */
  readonly uses: ReadonlyMap<string, number>;
  /** Words that have to be in, however rare: those of the groups and of software work. */
  readonly kept: ReadonlySet<string>;
}

/** The words of the table, most common first after the endings, and forms that are put together of two of them. */
export interface Vocabulary {
  readonly words: readonly string[];
  readonly forms: readonly string[];
}

/** Pieces that turn a word into another form of it; they are tokens of their own. */
export const ENDINGS = 'est s ed ing ly er ers es ness d less ful able ment ments'.split(' ');

/** SCOWL's sizes as ranks among all words. */
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

/** So many common words keep all their forms as tokens; of the rest, regular forms are put together. */
const WHOLE_FORMS = 7000;
const REGULAR = ['s', 'ed', 'ing', 'ly', 'es', 'ness', 'ers', 'er'];

/** Chooses the words of the table by three independent rankings, as a weighted geometric mean. */
export function chooseVocabulary(evidence: Evidence, size: number): Vocabulary {
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

function scorer({ levels, teacher, uses }: Evidence): (word: string) => { rank: number; plain: boolean } {
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
