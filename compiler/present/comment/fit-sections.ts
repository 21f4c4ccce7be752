/** A part of a comment: the text before its lines, and the text after them. */
export interface CommentSection {
  readonly head: string;
  /** Each is left out or there as a whole; the first ones stay longest. */
  readonly lines: readonly string[];
  readonly tail: string;
}

/**
 * Joins sections within a limit. Every section keeps its head and its tail; the lines of the first sections have the
 * room first. What is left out is counted where it would have stood.
 *
 * @param limit UTF-16 units
 */
export function fitSections(sections: readonly CommentSection[], limit: number): string {
  let room = limit - sections.reduce((all, it) => all + sizeOf(it), 0);
  const fitted = sections.map(({ head, lines, tail }) => {
    let kept = 0;
    while (kept < lines.length && room > (lines[kept]?.length ?? 0)) room -= (lines[kept++]?.length ?? 0) + 1;
    const left = lines.length - kept;
    const more = left > 0 ? [moreOf(left)] : [];
    return [head, ...lines.slice(0, kept), ...more, ...(tail === '' ? [] : [tail])].join('\n');
  });
  return fitted.join('\n\n');
}

const moreOf = (count: number): string => `- … and ${count} more`;

/** The most that a section takes without any of its lines. */
const sizeOf = ({ head, tail, lines }: CommentSection): number =>
  head.length + tail.length + moreOf(lines.length).length + 6;
