/** One paragraph, and all that makes a parser look back in it. */
export interface Paragraph {
  /** Of the text; 1-based. */
  readonly line: number;
  /** Runs of stars and underscores that could open or close emphasis, and ends of labels. */
  readonly emphasis: number;
  readonly labels: number;
  /** Of these, runs and labels that look back over the paragraph: what they belong to may stand anywhere before. */
  readonly seekers: number;
  readonly brackets: number;
  /** Labels that end right after another has: what is in them is copied again. */
  readonly nests: number;
  /** Emphases of a few words: what follows them is moved. */
  readonly flat: number;
  /** How many parts the parser keeps of it. */
  readonly parts: number;
}

/** Runs of stars and underscores; inside a word, underscores neither open nor close. */
const EMPHASIS = /\*+|(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])/gu;
/** What ends a label: a link, an image or a reference. */
const LABELS = /\]/g;
/** Everything of a paragraph that the parser keeps apart. */
const PARTS = /\*+|_+|[[\]!<>&\\`\n]/g;
/** A run after a blank can only open: CommonMark calls it left-flanking. */
const OPENING = /(?<=^|\s)(?:\*+|_+)/gm;

/**
 * A few words of one line. Nothing in them ends what could hide a mark from the parser (a code span, a tag, an address,
 * a title), so that of two marks around them either both are hidden or none is.
 */
const WORDS = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N} ,.:;/-]*[\p{L}\p{N}])?`;
/** Around them, or a link of them, one emphasis, whose end finds its beginning at once: neither could be the other. */
const FLAT = new RegExp(
  String.raw`(?<=^|\s)(\*{1,3}|_{1,3})(?:${WORDS}\1(?![\p{L}\p{N}*_])|\[${WORDS}\]\([\w./#:-]+\)\1(?=\s|$))`,
  'gmu',
);
/** A code span of one line without brackets. It hides nothing, and its marks hide nothing after it. */
const PLAIN_CODE = /(?<![`\\])`(?!`)[^`[\]\n]*`(?!`)/g;
/** What begins and ends labels, and what may hide their brackets from the parser. */
const BRACKETS = /[[\]()`\\<"']/g;
const PLAIN_LABEL = new RegExp(String.raw`(?<!\\)\[${WORDS}\]`, 'gu');

/** A line before which a paragraph has ended, wherever it stands: a blank one, or an item with something in it. */
const ENDS = /^(?:[ \t]*$| {0,3}[-+*][ \t]+\S)/;

/** Takes a text apart into what may be one paragraph, and counts. Takes linear time. */
export function paragraphsOf(lines: readonly string[]): Paragraph[] {
  const found: Paragraph[] = [];
  for (let from = 0; from < lines.length;) {
    let to = from;
    do to += 1;
    while (to < lines.length && !ENDS.test(lines[to] ?? ''));
    // a blank line stands before what follows it
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
