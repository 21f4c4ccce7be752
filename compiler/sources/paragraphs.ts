/** One paragraph, and counts of everything that makes a parser scan it backwards. */
export interface Paragraph {
  /** Line of the text; 1-based. */
  readonly line: number;
  /** Runs of stars and underscores that could open or close emphasis, and ends of labels. */
  readonly emphasis: number;
  readonly labels: number;
  /** Number of these that scan the paragraph backwards, because their opening may be anywhere before. */
  readonly seekers: number;
  readonly brackets: number;
  /** Labels that end right after another label: their content is copied again. */
  readonly nests: number;
  /** Short emphases: the parser moves the parts that follow them. */
  readonly flat: number;
  /** Number of parts that the parser keeps for the paragraph. */
  readonly parts: number;
}

/** Runs of stars and underscores; inside a word, underscores neither open nor close. */
const EMPHASIS = /\*+|(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])/gu;
/** The end of a label: of a link, an image or a reference. */
const LABELS = /\]/g;
/** All parts of a paragraph that the parser keeps separately. */
const PARTS = /\*+|_+|[[\]!<>&\\`\n]/g;
/** A run after a blank can only open emphasis: CommonMark calls it left-flanking. */
const OPENING = /(?<=^|\s)(?:\*+|_+)/gm;

/**
 * A few words of one line. They contain no end of a construct that hides marks from the parser (a code span, a tag, an
 * address, a title), so that of two marks around them either both are hidden or none.
 */
const WORDS = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N} ,.:;/-]*[\p{L}\p{N}])?`;
/** One emphasis around such words, or around a link of them: its end finds its beginning at once. */
const FLAT = new RegExp(
  String.raw`(?<=^|\s)(\*{1,3}|_{1,3})(?:${WORDS}\1(?![\p{L}\p{N}*_])|\[${WORDS}\]\([\w./#:-]+\)\1(?=\s|$))`,
  'gmu',
);
/** A code span of one line without brackets. It hides no mark, inside it or after it. */
const PLAIN_CODE = /(?<![`\\])`(?!`)[^`[\]\n]*`(?!`)/g;
/** The brackets of labels, and the marks that may hide brackets from the parser. */
const BRACKETS = /[[\]()`\\<"']/g;
const PLAIN_LABEL = new RegExp(String.raw`(?<!\\)\[${WORDS}\]`, 'gu');

/** A line that always ends the paragraph before it: a blank line, or an item with content. */
const ENDS = /^(?:[ \t]*$| {0,3}[-+*][ \t]+\S)/;

/** Splits a text into possible paragraphs, and counts their marks. Takes linear time. */
export function paragraphsOf(lines: readonly string[]): Paragraph[] {
  const found: Paragraph[] = [];
  for (let from = 0; from < lines.length;) {
    let to = from;
    do to += 1;
    while (to < lines.length && !ENDS.test(lines[to] ?? ''));
    // a blank line belongs to the paragraph after it
    const line = from + ((lines[from] ?? '').trim() === '' ? 2 : 1);
    found.push(counted(lines.slice(from, to).join('\n'), line));
    from = to;
  }
  return found;
}

/**
 * Counts the labels that may contain another one: between their end and the end before it, no label surely begins. A
 * bracket in code, after a backslash, in a tag, or in the destination or title of a link begins none.
 */
function countNests(text: string): number {
  let nests = 0;
  let state: 'begun' | 'after' | 'destination' | 'hidden' = 'begun';
  let end = -1;
  for (const { 0: mark, index } of text.replace(PLAIN_CODE, '').matchAll(BRACKETS)) {
    if (mark === ']') {
      if (state !== 'begun') nests += 1;
      state = 'after';
      end = index;
    } else if (state === 'after' || state === 'destination') {
      state = afterMark(mark, state, index === end + 1);
    }
  }
  return nests;
}

/** @param isNext whether the mark stands right behind the end of a label */
function afterMark(mark: string, state: 'after' | 'destination', isNext: boolean) {
  const isInside = state === 'destination';
  if (mark === '(') return isNext ? 'destination' : state;
  if (mark === ')') return 'after';
  if (mark === '[') return isInside ? state : 'begun';
  return isInside || (mark !== '"' && mark !== "'") ? 'hidden' : state;
}

function counted(text: string, line: number): Paragraph {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const emphasis = count(EMPHASIS);
  const labels = count(LABELS);
  const flat = count(FLAT);
  const seekers = emphasis - count(OPENING) - flat;
  const brackets = labels - count(PLAIN_LABEL);
  return { line, emphasis, labels, seekers, brackets, nests: countNests(text), flat, parts: count(PARTS) };
}
