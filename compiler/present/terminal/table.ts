/** A table for a terminal: columns as wide as their widest cell, numbers aligned right, no trailing spaces. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const isNumeric = head.map((_, column) => rows.every((row) => /^[\d.+–-]*%?$/.test(row[column] ?? '')));
  const line = (row: readonly string[]) =>
    widths
      .map((width, column) => (isNumeric[column] ? row[column]?.padStart(width) : row[column]?.padEnd(width)) ?? '')
      .join('  ')
      .trimEnd();
  return [head, ...rows].map(line);
}
