import type { Diagnostic } from '../schema/diagnostics.ts';
import { withoutUnseen } from './rules/unicode.ts';

/** The fixes in a file, as text for its author. */
export interface FixedText {
  readonly text: string;
  readonly changes: readonly string[];
}

/**
 * The safe fixes: removes hidden characters, and writes line ends and accents as the compiler normalises them. It is
 * idempotent. Trailing blanks stay, because two of them break a line in Markdown.
 */
export function fixText(text: string): FixedText {
  const changes: string[] = [];
  const step = (before: string, after: string, change: string) => {
    if (before !== after) changes.push(change);
    return after;
  };
  let fixed = step(text, text.replace(/^\ufeff+/, ''), 'removed the byte order mark');
  fixed = step(fixed, fixed.replace(/\r\n?/g, '\n'), 'ended lines with LF');
  fixed = step(fixed, settled(fixed, withoutUnseen), 'removed hidden characters');
  fixed = step(fixed, settled(fixed, composed), 'composed accents (NFC)');
  return { text: fixed, changes };
}

/** Applies a fix until the text is stable, because removing characters can create new matches. */
function settled(text: string, fix: (text: string) => string): string {
  for (let from = text; ;) {
    const to = fix(from);
    if (to === from) return to;
    from = to;
  }
}

function composed(text: string): string {
  return withoutUnseen(text.normalize('NFC'));
}

/** Keys that give a unit more weight or reach: a typing error is never corrected into one of them. */
const NEVER_CORRECTED: ReadonlySet<string> = new Set([
  'guarantee_load',
  'force_position',
  'required_by_task_types',
  'sensitive',
  'shared',
  'path',
]);

/**
 * Renames YAML keys that differ from a known key by one letter, case or a hyphen. The caller decodes the result again
 * and keeps it only if it has fewer diagnostics and no new ones.
 *
 * @param faults of the same text; only `key_unknown` is fixed
 */
export function fixKeys(text: string, faults: readonly Diagnostic[]): FixedText {
  const lines = text.split('\n');
  const changes: string[] = [];
  const unknown = faults
    .filter((it) => it.rule === 'key_unknown')
    .sort((a, b) => b.line - a.line || b.column - a.column);
  for (const { line, column, message, help } of unknown) {
    const wrong = /^“(.+)” is not a known key$/u.exec(message)?.[1] ?? '';
    const right = /^did you mean “([a-z_]+)”\?$/.exec(help)?.[1] ?? '';
    const written = lines[line - 1] ?? '';
    if (right === '' || NEVER_CORRECTED.has(right) || !isSlip(wrong, right)) continue;
    if (!written.startsWith(`${wrong}:`, column - 1)) continue;
    lines[line - 1] = written.slice(0, column - 1) + right + written.slice(column - 1 + wrong.length);
    changes.push(`renamed the key ${wrong} to ${right}`);
  }
  return { text: lines.join('\n'), changes: changes.reverse() };
}

/** Whether one letter is inserted, missing, wrong or swapped, or only case and hyphens differ. */
function isSlip(wrong: string, right: string): boolean {
  const plain = wrong.toLowerCase().replace(/[- ]/g, '_');
  if (plain === right) return true;
  let head = 0;
  while (head < plain.length && plain[head] === right[head]) head++;
  const tail = (skipWrong: number, skipRight: number) =>
    plain.slice(head + skipWrong) === right.slice(head + skipRight);
  const swapped = plain[head] === right[head + 1] && plain[head + 1] === right[head] && tail(2, 2);
  return tail(1, 0) || tail(0, 1) || tail(1, 1) || swapped;
}
