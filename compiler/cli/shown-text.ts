import { unseenRuns } from '../lint/rules/unicode.ts';
import { escapeUnseen } from '../schema/diagnostics.ts';
import { codePoint } from '../sources/finding.ts';
import type { PrintedText } from '../world/world.ts';

/**
 * A text as a terminal may receive it. It can be of agents, authors and programs: control characters, marks that change
 * the visible order and invisible characters are shown by their code point. Of lines, none begins another.
 */
export function shownText(text: PrintedText): string {
  if (typeof text !== 'string') return text.map((it) => visible(it).replace(/[\t\n\r]/g, shown)).join('\n');
  return visible(text).replace(/\r(?!\n)/g, shown);
}

function visible(text: string): string {
  let out = '';
  let from = 0;
  for (const { index, text: run } of unseenRuns(text)) {
    out += text.slice(from, index) + Array.from(run, shown).join('');
    from = index + run.length;
  }
  return out + text.slice(from);
}

const shown = (character: string) => `<${codePoint(character)}>`;

/** JSON as a terminal may receive it. */
export function shownJson(value: unknown, indent?: number): string {
  return escapeUnseen(JSON.stringify(value, null, indent));
}
