export interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly note?: string;
  readonly bad?: (value: string) => boolean;
}

/** One figure with its name. */
export function Figure({ name, value, note, bad }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={bad?.(value) ? 'bad' : ''}>{value}</dd>
      {note !== undefined && <dd class="note">{note}</dd>}
    </div>
  );
}
