import { cell, text, type PlotOptions } from '@observablehq/plot';
import { columnHeads, sideLabels } from './labels.ts';
import { textWidth } from './text-width.ts';

/** Steps of the heat scale: colours of the style sheet, for light and dark mode. */
const STEPS = 5;

function stepOf(share: number): number {
  return Math.min(STEPS, Math.floor(share * STEPS + 0.5));
}

/** The colour of a share, 0..1. */
export function heat(share: number): string {
  return `var(--heat-${stepOf(share)})`;
}

/** A text colour that is readable on `heat`. */
export function heatText(share: number): string {
  return stepOf(share) >= 3 ? 'var(--on-heat)' : 'var(--ink)';
}

/** One field of a heat chart: a row and a column, with the share that colours it and the text on it. */
export interface HeatCell {
  readonly row: string;
  readonly column: string;
  readonly share: number;
  readonly shown: string;
}

/** A heat chart of rows by columns, whose heads stand above. Fields without a value are left empty. */
export function heatChart(
  rows: readonly string[],
  columns: readonly string[],
  cells: readonly HeatCell[],
  width: number,
): PlotOptions {
  const side = sideLabels(rows, width * 0.4, textWidth);
  const room = width - side.margin - 20;
  const { marginTop, marginRight, ...heads } = columnHeads(columns, { room, most: 100 }, textWidth);
  return {
    height: marginTop + 10 + rows.length * 24,
    marginLeft: side.margin,
    marginTop,
    marginRight,
    x: { axis: 'top', label: null, domain: columns, tickSize: 0, ...heads },
    y: { label: null, tickSize: 0, tickFormat: side.tickFormat },
    marks: [
      cell(cells, { x: 'column', y: 'row', fill: (it: HeatCell) => heat(it.share), inset: 1 }),
      text(cells, { x: 'column', y: 'row', text: 'shown', fill: (it: HeatCell) => heatText(it.share) }),
    ],
  };
}
