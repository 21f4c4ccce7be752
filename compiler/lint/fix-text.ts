import type { Diagnostic } from '../schema/diagnostics.ts';
import { withoutUnseen } from './rules/unicode.ts';

/** What was mended in a file, in words for its author. */
export interface FixedText {
  readonly text: string;
  readonly changes: readonly string[];
}

/**
 * The safe mends: what nobody sees goes, line ends and accents are written as the compiler reads them anyway. Doing it
 * twice changes nothing more. Trailing blanks stay: two of them break a line in Markdown.
 */
export function fixText(text: string): FixedText {
  const changes: string[] = [];
  const step = (before: string, after: string, told: string) => {
    if (before !== after) changes.push(told);
    return after;
  };
  let mended = step(text, text.replace(/^\ufeff+/, ''), 'removed the byte order mark');
  mended = step(mended, mended.replace(/\r\n?/g, '\n'), 'ended lines with LF');
  mended = step(mended, settled(mended, withoutUnseen), 'removed hidden characters');
  mended = step(mended, settled(mended, composed), 'composed accents (NFC)');
  return { text: mended, changes };
}

/** Applies a mend until it has nothing left to do: what it takes away can bring together what it looks for. */
function settled(text: string, mend: (text: string) => string): string {
  for (let from = text; ;) {
    const to = mend(from);
    if (to === from) return to;
    from = to;
  }
}

function composed(text: string): string {
  return withoutUnseen(text.normalize('NFC'));
}

/** Keys that hand out standing or reach: a slip of the pen is never guessed into one of them. */
const GUARDED: ReadonlySet<string> = new Set([
  'guarantee_load',
  'force_position',
  'required_by_task_types',
  'sensitive',
  'shared',
  'path',
]);

/**
 * Keys of YAML that are known but for one letter, their case or a hyphen, renamed where they stand. The caller decodes
 * the answer again and keeps it only if a fault went and none came.
 *
 * @param faults of the same text; only `key_unknown` is mended
 */
export function fixKeys(text: string, faults: readonly Diagnostic[]): FixedText {
  const lines = text.split('\n');
  const changes: string[] = [];
  const told = faults.filter((it) => it.rule === 'key_unknown').sort((a, b) => b.line - a.line || b.column - a.column);
  for (const { line, column, message, help } of told) {
    const wrong = /^“(.+)” is not a known key$/u.exec(message)?.[1] ?? '';
    const right = /^did you mean “([a-z_]+)”\?$/.exec(help)?.[1] ?? '';
    const written = lines[line - 1] ?? '';
    if (right === '' || GUARDED.has(right) || !isSlip(wrong, right)) continue;
    if (!written.startsWith(`${wrong}:`, column - 1)) continue;
    lines[line - 1] = written.slice(0, column - 1) + right + written.slice(column - 1 + wrong.length);
    changes.push(`renamed the key ${wrong} to ${right}`);
  }
  return { text: lines.join('\n'), changes: changes.reverse() };
}

/** One letter too many, too few, another or swapped; or only case and hyphens. */
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
