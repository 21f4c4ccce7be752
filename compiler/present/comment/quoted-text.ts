import { printable } from '../../schema/diagnostics.ts';

/** Longer texts are cut: a reviewer reads the file itself. */
const MOST_LETTERS = 240;

/**
 * Text of others as a code span of Markdown, on one line. Nothing in a code span is markup: no HTML, link, mention of a
 * person or reference to an issue.
 */
export function quotedText(text: string): string {
  const plain = cut(printable(text.replace(/\s+/gu, ' ').trim()));
  if (plain === '') return '(empty)';
  const longest = Math.max(0, ...[...plain.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  // a space inside the fence is stripped again; it keeps a backtick of the text from joining the fence
  return longest === 0 ? `\`${plain}\`` : `${fence} ${plain} ${fence}`;
}

function cut(text: string): string {
  const letters = Array.from(text);
  return letters.length <= MOST_LETTERS ? text : `${letters.slice(0, MOST_LETTERS - 1).join('')}…`;
}
