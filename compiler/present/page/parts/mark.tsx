import type { ComponentChildren } from 'preact';

/** Text that is highlighted if something is wrong, also in words for people who do not see colours. */
export function Mark({ bad, children }: { readonly bad: boolean; readonly children: ComponentChildren }) {
  if (!bad) return <>{children}</>;
  return (
    <strong class="bad">
      {children}
      <span class="hidden"> (needs a look)</span>
    </strong>
  );
}

/** A short label. */
export function Chip({
  kind = '',
  children,
}: {
  readonly kind?: 'bad' | 'good' | 'warn' | '';
  readonly children: ComponentChildren;
}) {
  return <span class={`chip ${kind}`}>{children}</span>;
}
