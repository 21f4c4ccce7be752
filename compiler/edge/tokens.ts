import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';

/** Longer runs without a space are counted in slices: merging them whole would take quadratic time. */
const MAX_RUN = 400;
const LONG_RUN = new RegExp(`\\S{${MAX_RUN}}(?=\\S)`, 'g');

let encoding: Tiktoken | undefined;

/**
 * cl100k tokens of a text (§21.1.2, §21.2.1). Text that looks like a special token is counted as text.
 * The tables are loaded at the first call.
 */
export function countTokens(text: string): number {
  encoding ??= new Tiktoken(cl100k);
  if (text.length < MAX_RUN) return encoding.encode(text, [], []).length;
  let count = 0;
  let from = 0;
  for (const match of text.matchAll(LONG_RUN)) {
    const to = match.index + MAX_RUN;
    count += encoding.encode(text.slice(from, to), [], []).length;
    from = to;
  }
  return count + encoding.encode(text.slice(from), [], []).length;
}
