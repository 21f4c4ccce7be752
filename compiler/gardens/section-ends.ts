import type { CountTokens } from '../schema/count-tokens.ts';

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)/;
const HEADING = /^ {0,3}#{1,6}(?=\s)/;

/** Where each section of a Markdown text ends, with the tokens up to there. A `#` in a block of code is no heading. */
export function sectionEnds(content: string, countTokens: CountTokens): [end: number, tokens: number][] {
  const ends: number[] = [];
  let fence = '';
  let at = 0;
  for (const line of content.split(/(?<=\n)/)) {
    const [, mark = '', rest = ''] = FENCE.exec(line) ?? [];
    if (fence === '') {
      fence = mark;
      if (at > 0 && HEADING.test(line)) ends.push(at);
    } else if (mark.startsWith(fence) && rest.trim() === '') {
      fence = '';
    }
    at += line.length;
  }
  let tokens = 0;
  return [...ends, at].map((end, i, all) => {
    tokens += countTokens(content.slice(all[i - 1] ?? 0, end));
    return [end, tokens];
  });
}
