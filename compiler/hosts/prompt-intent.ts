import { isHostMessage, withoutCommand, withoutHostParts } from './host-marks.ts';

/** Characters that are recalled of the start and of the end of a long prompt. */
const END = 1000;

const QUOTED = /^\s*>/;
/** A fence that begins a line; with further back-ticks behind it, it is code within the line. */
const FENCE = /^\s*(`{3,}(?=[^`]*$)|~{3,})/;
const FENCE_WITHIN = /`{3,}/;
const MEANINGFUL = /[\p{L}\p{N}]/u;

/**
 * The part of a user's prompt that is recalled: without a command's name, fenced blocks, quoted lines, and what its
 * host put in; the start and the end of a long one. Null if nothing is to be recalled. The cost is linear.
 */
export function promptIntent(prompt: string): string | null {
  const text = prompt.trim();
  if (isHostMessage(text)) return null;
  const own = withoutPasted(withoutCommand(withoutHostParts(text).trim())).trim();
  return MEANINGFUL.test(own) ? bothEnds(own) : null;
}

/**
 * A text without quoted lines and fenced blocks. A fence that begins a line ends as in Markdown, one within a line at
 * the next one; a fence that is not closed reaches to the end.
 */
function withoutPasted(text: string): string {
  const kept: string[] = [];
  let fence: string | undefined;
  let isWithin = false;
  for (const line of text.split('\n')) {
    if (fence !== undefined) {
      if (closes(line.trim(), fence)) fence = undefined;
      continue;
    }
    if (!isWithin && QUOTED.test(line)) continue;
    if (!isWithin) fence = FENCE.exec(line)?.[1];
    if (fence !== undefined) continue;
    const parts = line.split(FENCE_WITHIN);
    kept.push(parts.filter((_, i) => (i % 2 === 1) === isWithin).join(' '));
    if (parts.length % 2 === 0) isWithin = !isWithin;
  }
  return kept.join('\n');
}

function closes(line: string, fence: string): boolean {
  return line.length >= fence.length && line === (fence[0] ?? '').repeat(line.length);
}

function bothEnds(text: string): string {
  if (text.length <= 2 * END) return text;
  // a cut may leave half of a surrogate pair
  return `${text.slice(0, END)}\n${text.slice(-END)}`.toWellFormed();
}
