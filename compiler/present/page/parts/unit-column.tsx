import { agentHref } from './route.ts';
import type { Column } from './table.tsx';

/** The column with the name of the unit, as a link to it. */
export function unitColumn<T>(agent: string, nameOf: (row: T) => string): Column<T> {
  return {
    head: 'Unit',
    heading: true,
    by: nameOf,
    cell: (row) => <a href={agentHref(agent, 'units', nameOf(row))}>{nameOf(row)}</a>,
  };
}
