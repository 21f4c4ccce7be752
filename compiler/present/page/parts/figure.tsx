import type { ComponentChildren } from 'preact';
import { Term } from './term.tsx';
import type { TermName } from './terms.ts';

export interface FigureProps {
  readonly name: string;
  /** Explains the name. */
  readonly term?: TermName;
  readonly value: string;
  readonly note?: ComponentChildren;
  readonly bad?: (value: string) => boolean;
}

/** One figure with its name. */
export function Figure({ name, term, value, note, bad }: FigureProps) {
  return (
    <div>
      <dt>{term === undefined ? name : <Term of={term}>{name}</Term>}</dt>
      <dd class={bad?.(value) ? 'bad' : ''}>{value}</dd>
      {note !== undefined && <dd class="note">{note}</dd>}
    </div>
  );
}
