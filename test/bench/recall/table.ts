/** Prints a Markdown table below a heading, with lines of text after it. */
export function printTable(
  heading: string,
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  notes: readonly string[] = [],
): void {
  const cells = [head.map(String), ...rows.map((row) => row.map(String))];
  const widths = head.map((_, c) => Math.max(3, ...cells.map((row) => (row[c] ?? '').length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, c) => (c === 0 ? cell.padEnd(widths[c] ?? 0) : cell.padStart(widths[c] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, c) => (c === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  const [first = [], ...rest] = cells;
  const lines = ['', `### ${heading}`, '', line(first), rule, ...rest.map(line)];
  process.stdout.write([...lines, ...(notes.length > 0 ? ['', ...notes] : []), ''].join('\n'));
}
