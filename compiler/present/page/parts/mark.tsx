import type { ComponentChildren } from 'preact';

/** Text that stands out where something is wrong; said in words too, for whoever sees no colour. */
export function Mark({ bad, children }: { readonly bad: boolean; readonly children: ComponentChildren }) {
  if (!bad) return <>{children}</>;
  return (
    <strong class="bad">
      {children}
      <span class="hidden"> (needs a look)</span>
    </strong>
  );
}

/** A short word about something. */
export function Chip({
  kind = '',
  children,
}: {
  readonly kind?: 'bad' | 'good' | 'warn' | '';
  readonly children: ComponentChildren;
}) {
  return <span class={`chip ${kind}`}>{children}</span>;
}
