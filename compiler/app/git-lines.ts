/** A `.gitignore` or `.gitattributes` with the lines that it has to have, and those that it lacked. */
export interface GitLines {
  readonly text: string;
  readonly added: readonly string[];
}

/**
 * Adds lines at the end of a file. A line counts as present however its pattern is written, and whatever attributes it
 * has: that is the project's own decision.
 *
 * @param before its text; empty without one
 */
export function addLines(before: string, wanted: readonly string[]): GitLines {
  const present = new Set(
    before
      .replace(MARK, '')
      .split(/\r?\n/)
      .map((it) => patternOf(it.trim())),
  );
  const isThere = (pattern: string) =>
    [pattern, pattern.replace(/^\//, ''), pattern.replace(/\/$/, '')].some((it) => present.has(it));
  const added = wanted.filter((line) => !isThere(patternOf(line)));
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  return { text: added.length === 0 ? before : `${before}${gap}${added.join('\n')}\n`, added };
}

/** A byte order mark, which git skips; in a text of bytes it is three letters. */
const MARK = /^(?:\uFEFF|\u00EF\u00BB\u00BF)/;

/** A line of `.gitattributes` without its attributes; a line of `.gitignore` has none. */
function patternOf(line: string): string {
  return line.replace(/(?<=\S)\s+(?:-?text|binary|eol=\w+).*$/, '');
}
