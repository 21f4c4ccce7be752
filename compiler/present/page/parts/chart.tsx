import { plot, type PlotOptions } from '@observablehq/plot';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Table, type TableProps } from './table.tsx';

export interface ChartProps<Of, Row> {
  readonly title: string;
  /** A sentence that describes the plot, for screen readers. */
  readonly says: string;
  readonly of: Of;
  /** Must be the same function at every rendering. */
  readonly draw: (of: Of, width: number) => PlotOptions;
  /** The figures of the plot. */
  readonly table: Omit<TableProps<Row>, 'caption'>;
  readonly children?: ComponentChildren;
}

/** A plot with its figures as a table, for people who cannot see it. */
export function Chart<Of, Row>({ title, says, of, draw, table, children }: ChartProps<Of, Row>) {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  useEffect(() => {
    if (width > 0) place.current?.replaceChildren(drawn(draw(of, width), width, says));
  }, [of, draw, width, says]);
  return (
    <figure class="chart">
      <figcaption>
        <h3>{title}</h3>
        <p>{says}</p>
      </figcaption>
      <div ref={place} class="plot-place" />
      {children}
      <details>
        <summary>Figures: {title}</summary>
        <Table {...table} caption={title} quiet />
      </details>
    </figure>
  );
}

function drawn(options: PlotOptions, width: number, says: string): Element {
  const svg = plot({ ...options, width, className: 'plot', style: { fontSize: '12px', background: 'none' } });
  // the page's own style sheet has these rules, because the policy allows no other
  svg.querySelector('style')?.remove();
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', says);
  for (const part of svg.querySelectorAll('[aria-label],[aria-description]')) {
    part.removeAttribute('aria-label');
    part.removeAttribute('aria-description');
  }
  return svg;
}

function useWidth(place: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const { current } = place;
    if (current === null) return undefined;
    const observer = new ResizeObserver(() => {
      setWidth(Math.floor(current.clientWidth));
    });
    observer.observe(current);
    return () => {
      observer.disconnect();
    };
  }, [place]);
  return width;
}
