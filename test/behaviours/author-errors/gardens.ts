import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { front, WRAP_UP, type Place, type Row } from './row.ts';

/** A row as its file has it: what is written of the usual unit, or of another file. */
interface Written extends Pick<Row, 'title' | 'besides' | 'also'> {
  readonly fault: Place;
  readonly file?: string;
  readonly front?: string;
  readonly body?: string;
  readonly written?: string;
}

function rowOf({ fault, front: more, body, file = WRAP_UP, written = front(more, body), ...rest }: Written): Row {
  return { ...rest, ...fault, file, written };
}

const text = readFileSync(new URL('gardens.yaml', import.meta.url), 'utf8');

/** Faults that only show when a unit is compared with its garden, its agent and its deployment. */
export const GARDENS: readonly Row[] = (parse(text) as readonly Written[]).map(rowOf);
