import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { sortRows, type Sorting } from './sort-rows.ts';
import { Term } from './term.tsx';
import type { TermName } from './terms.ts';

/** One column of a table. */
export interface Column<T> {
  readonly head: string;
  /** Explains the head. */
  readonly term?: TermName;
  readonly cell: (row: T) => ComponentChildren;
  /** Makes the column sortable; nulls come last. */
  readonly by?: (row: T) => string | number | null;
  readonly numeric?: true;
  /** Whether its cells are sentences, which need width to be read. */
  readonly prose?: true;
  /** Whether the cell is the heading of its row. */
  readonly heading?: true;
}

export interface TableProps<T> {
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  /** Whether the caption is only for screen readers. */
  readonly quiet?: boolean;
}

/** Number of rows that are shown at first; a button shows the rest. */
const PAGE = 200;

/** A table that can be sorted and, if it is too wide, scrolled by keyboard. */
export function Table<T>({ caption, columns, rows, keyOf, quiet = false }: TableProps<T>) {
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const [drawn, setDrawn] = useState(PAGE);
  const sorted = useMemo(() => sortRows(rows, columns, sorting), [rows, columns, sorting]);
  return (
    <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption class={quiet ? 'hidden' : ''}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, at) => (
              <Head key={column.head} column={column} at={at} sorting={sorting} sort={setSorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, drawn).map((row) => (
            <Row key={keyOf(row)} row={row} columns={columns} />
          ))}
        </tbody>
      </table>
      {sorted.length > drawn && (
        <button
          type="button"
          class="more"
          onClick={() => {
            setDrawn(drawn + PAGE);
          }}
        >
          Show {Math.min(PAGE, sorted.length - drawn)} more of {sorted.length}
        </button>
      )}
    </div>
  );
}

function Row<T>({ row, columns }: { readonly row: T; readonly columns: readonly Column<T>[] }) {
  return (
    <tr>
      {columns.map((column) =>
        column.heading ? (
          <th scope="row" class={column.prose ? 'prose' : ''} key={column.head}>
            {column.cell(row)}
          </th>
        ) : (
          <td class={column.numeric ? 'number' : column.prose ? 'prose' : ''} key={column.head}>
            {column.cell(row)}
          </td>
        ),
      )}
    </tr>
  );
}

interface HeadProps<T> {
  readonly column: Column<T>;
  readonly at: number;
  readonly sorting: Sorting | null;
  readonly sort: (sorting: Sorting) => void;
}

function Head<T>({ column, at, sorting, sort }: HeadProps<T>) {
  const kind = column.numeric ? 'number' : '';
  const explained = column.term !== undefined && <Term of={column.term} />;
  if (!column.by) {
    return (
      <th scope="col" class={kind}>
        {column.head} {explained}
      </th>
    );
  }
  const own = sorting?.column === at ? sorting : null;
  const order = own === null ? 'none' : own.descending ? 'descending' : 'ascending';
  const next = own === null ? column.numeric === true : !own.descending;
  return (
    <th scope="col" class={kind} aria-sort={order}>
      <button
        type="button"
        class="sort"
        onClick={() => {
          sort({ column: at, descending: next });
        }}
      >
        {column.head}
        <span aria-hidden="true">{order === 'none' ? '' : order === 'ascending' ? ' ↑' : ' ↓'}</span>
      </button>{' '}
      {explained}
    </th>
  );
}
