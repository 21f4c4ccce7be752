import { cell, text, type PlotOptions } from '@observablehq/plot';
import type { Remedy, Rivalry, SiblingReport } from '../../../schema/report/siblings.ts';
import type { AgentProps } from '../parts/agent-props.ts';
import { Chart } from '../parts/chart.tsx';
import { heat, heatText, loss } from '../parts/heat.ts';
import { columnHeads, columnsIn, sideLabels } from '../parts/labels.ts';
import { agentHref } from '../parts/route.ts';
import type { Column } from '../parts/table.tsx';
import { Term } from '../parts/term.tsx';
import { textWidth } from '../parts/text-width.ts';
import { unitColumn } from '../parts/unit-column.tsx';
import { count, percent, shown, whole } from '../parts/wording.ts';

const REMEDIES: Record<Remedy, string> = {
  same_trigger: 'both have the same trigger: keep it in one of them',
  merge: 'each takes most of the other’s intents: merge them',
  reword: 'they share words: describe each with words of its own',
  set_apart: 'they have similar meanings: state the difference in both',
};

/** The units that compete for the same intents. */
export function Siblings({ agent: { siblings, summary } }: AgentProps) {
  if (siblings === null) return <p>This report was made without a search for competing units.</p>;
  if (siblings.rivalries.length === 0)
    return <p>No unit competes with another: each comes first for its own intents.</p>;
  return (
    <>
      <p class="lede">
        The <Term of="intent">intents</Term> of a unit are its <Term of="trigger">triggers</Term> and{' '}
        <Term of="probe">probes</Term>; ranks are without <Term of="boost">boost</Term>. A <Term of="rival">rival</Term>{' '}
        outranks the unit, or is close behind.
      </p>
      <Chart
        title="Units that come first instead"
        says="One row per unit, one column per rival: the share of the unit’s intents for which the rival comes before it. The diagonal is the share for which the unit itself comes first. Units that lose most are drawn, as many as there is room for; the figures have all."
        of={siblings}
        draw={drawConfusion}
        table={{ columns: columnsOf(summary.name), rows: siblings.rivalries, keyOf: (it) => `${it.unit} ${it.rival}` }}
      />
      <h2>{count(siblings.rivalries.length, 'pair')}, with possible fixes</h2>
      <ul class="rivalries">
        {siblings.rivalries.slice(0, MOST_LISTED).map((it) => (
          <RivalryItem key={`${it.unit} ${it.rival}`} agent={summary.name} rivalry={it} />
        ))}
      </ul>
      {siblings.rivalries.length > MOST_LISTED && (
        <p>{siblings.rivalries.length - MOST_LISTED} more are in the figures above.</p>
      )}
    </>
  );
}

const MOST_LISTED = 20;

function RivalryItem({ agent, rivalry: it }: { readonly agent: string; readonly rivalry: Rivalry }) {
  return (
    <li>
      <p>
        <a href={agentHref(agent, 'units', it.rival)}>{it.rival}</a>{' '}
        {it.steals > 0 ? `takes ${percent(it.steals)} of` : 'comes close to'}{' '}
        <a href={agentHref(agent, 'units', it.unit)}>{it.unit}</a>: {REMEDIES[it.remedy]}.
        {it.shared_words.length > 0 && <> Words of both: {it.shared_words.map(shown).join(', ')}.</>}
      </p>
      <ul>
        {it.contested.map((one) => (
          <li key={one.intent}>
            “{shown(one.intent)}”: {it.rival} #{one.rival_rank}, {it.unit}{' '}
            {one.own_rank === null ? 'not ranked' : `#${one.own_rank}`}
          </li>
        ))}
      </ul>
    </li>
  );
}

function columnsOf(agent: string): readonly Column<Rivalry>[] {
  return [
    unitColumn(agent, (it) => it.unit),
    { head: 'Rival', by: (it) => it.rival, cell: (it) => it.rival },
    { head: 'Outranks', numeric: true, by: (it) => it.outranks, cell: (it) => whole(it.outranks) },
    { head: 'Close', numeric: true, by: (it) => it.close, cell: (it) => whole(it.close) },
    { head: 'Takes', numeric: true, by: (it) => it.steals, cell: (it) => percent(it.steals) },
  ];
}

/** Maximum number of units that are drawn: those that lose most. The table has all. */
const MOST_DRAWN = 30;

/** The longest head of a column, in pixels. */
const HEAD = 160;

interface Cell {
  readonly unit: string;
  readonly rival: string;
  readonly value: number;
}

const isOwn = ({ unit, rival }: Cell) => unit === rival;

function cellsOf({ units, rivalries }: SiblingReport, most: number): Cell[] {
  const taken = rivalries.filter((it) => it.outranks > 0);
  const drawn = new Set([...new Set(taken.flatMap((it) => [it.unit, it.rival]))].slice(0, most));
  return [
    ...units
      .filter((it) => drawn.has(it.name) && it.asked > 0)
      .map((it) => ({ unit: it.name, rival: it.name, value: it.first / it.asked })),
    ...taken
      .filter((it) => drawn.has(it.unit) && drawn.has(it.rival))
      .map((it) => ({ unit: it.unit, rival: it.rival, value: it.steals })),
  ];
}

function drawConfusion(report: SiblingReport, width: number): PlotOptions {
  // the names at the side take at most two fifths
  const cells = cellsOf(report, Math.min(MOST_DRAWN, columnsIn({ room: width * 0.6, most: HEAD })));
  const names = [...new Set(cells.flatMap((it) => [it.unit, it.rival]))].sort();
  const side = sideLabels(names, width * 0.4, textWidth);
  const room = width - side.margin - 20;
  const { marginTop, marginRight, ...heads } = columnHeads(names, { room, most: HEAD }, textWidth);
  const places = { x: 'rival', y: 'unit' };
  const fill = (it: Cell) => (isOwn(it) ? heat(it.value) : loss(it.value));
  const ink = (it: Cell) => (isOwn(it) ? heatText(it.value) : 'var(--ink)');
  const numbers = text(cells, { ...places, text: (it: Cell) => percent(it.value), fill: ink });
  const column = (width - side.margin - marginRight) / Math.max(1, names.length);
  const isWide = 0.9 * column > textWidth('100 %');
  return {
    height: marginTop + 20 + names.length * 24,
    marginLeft: side.margin,
    marginTop,
    marginRight,
    x: { axis: 'top', label: null, domain: names, tickSize: 0, ...heads },
    y: { label: null, domain: names, tickSize: 0, tickFormat: side.tickFormat },
    marks: [cell(cells, { ...places, fill, inset: 1 }), ...(isWide ? [numbers] : [])],
  };
}
