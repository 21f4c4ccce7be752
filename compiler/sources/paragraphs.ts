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
/** The end of a label, up to that of the one around it. */
const NESTED = /\][^[\]]*(?=\])/g;
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

function counted(text: string, line: number): Paragraph {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const emphasis = count(EMPHASIS);
  const labels = count(LABELS);
  const flat = count(FLAT);
  const seekers = emphasis - count(OPENING) - flat;
  const brackets = labels - count(PLAIN_LABEL);
  return { line, emphasis, labels, seekers, brackets, nests: count(NESTED), flat, parts: count(PARTS) };
}
