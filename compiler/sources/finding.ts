import { diagnostic, type Diagnostic, type Position, type RuleId } from '../schema/diagnostics.ts';

/** A finding in a text, at an index in UTF-16 units; the message never repeats a secret. */
export interface Finding {
  readonly rule: RuleId;
  readonly index: number;
  readonly message: string;
  readonly help: string;
}

/** More findings of one rule in one file do not help, and a hostile file could have thousands. */
const MOST = 20;

/** Findings of one text as diagnostics, at most twenty for each rule. */
export function toDiagnostics(file: string, text: string, findings: readonly Finding[]): Diagnostic[] {
  const at = placesIn(text);
  const counts = new Map<RuleId, number>();
  return findings.flatMap(({ rule, index, message, help }) => {
    const count = (counts.get(rule) ?? 0) + 1;
    counts.set(rule, count);
    return count > MOST ? [] : [diagnostic(rule, file, message, help, at(index))];
  });
}

/** Line and column of an index in a text. */
export function placesIn(text: string): (index: number) => Position {
  const starts = [0];
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  return (index) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= index) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: index - (starts[low] ?? 0) + 1 };
  };
}

/** A character by its Unicode code point. */
export function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A few words of the text, for a message. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= 60 ? `“${line}”` : `“${line.slice(0, 59)}…”`;
}
