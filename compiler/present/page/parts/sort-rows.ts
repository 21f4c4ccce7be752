/** The column that a table is sorted by, and the direction. */
export interface Sorting {
  readonly column: number;
  readonly descending: boolean;
}

interface Sortable<T> {
  readonly by?: (row: T) => string | number | null;
}

/** The rows in the order of a column; rows without a value come last, in either direction. */
export function sortRows<T>(
  rows: readonly T[],
  columns: readonly Sortable<T>[],
  sorting: Sorting | null,
): readonly T[] {
  const by = sorting && columns[sorting.column]?.by;
  if (!by) return rows;
  const sign = sorting.descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const one = by(a);
    const other = by(b);
    if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
    return one === other ? 0 : one < other ? -sign : sign;
  });
}
