import type { Heading } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { hasWords } from './blocks.ts';
import { squeeze } from './names.ts';

/** A heading is cut here before it becomes part of names, triggers and descriptions. */
export const LONGEST_HEADING = 300;

const FILE_NAME = /^\S+\.mdc?\s*[-–—:|]+\s*/i;
const NUMBERING = /^(?:(?:step|phase|part|chapter)\s+)?(?:\d+(?:\.\d+)*[.):]|\d+(?:\.\d+)+|\d+\s*[-–—])\s+/i;

/** The words of a heading without a file name or numbering in front of them. */
export function headingWords(node: Heading): string {
  const whole = squeeze(toString(node, { includeHtml: false }))
    .slice(0, LONGEST_HEADING)
    .trim();
  const bare = whole.replace(FILE_NAME, '').replace(NUMBERING, '');
  return hasWords(bare) ? bare : whole;
}
