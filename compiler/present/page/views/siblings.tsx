import { cell, text, type PlotOptions } from '@observablehq/plot';
import type { Remedy, Rivalry, SiblingReport } from '../../../schema/report/siblings.ts';
import type { AgentProps } from '../parts/agent-props.ts';
import { Chart } from '../parts/chart.tsx';
import { heat, heatText, loss } from '../parts/heat.ts';
import { agentHref } from '../parts/route.ts';
import type { Column } from '../parts/table.tsx';
import { unitColumn } from '../parts/unit-column.tsx';
import { count, percent, shown, whole } from '../parts/wording.ts';

const REMEDIES: Record<Remedy, string> = {
  same_trigger: 'both name the same situation: keep the trigger in one',
  merge: 'each takes most of what is the other’s: make one unit of them',
  reword: 'they share words: say in other words what only one is for',
  set_apart: 'they mean alike: say in each what sets it apart',
};

/** The units that compete for the same intents. */
export function Siblings({ agent: { siblings, summary } }: AgentProps) {
  if (siblings === null) return <p>Which units compete was not worked out for this report.</p>;
  if (siblings.rivalries.length === 0)
    return <p>No unit competes with another: each comes first for what it is asked for.</p>;
  return (
    <>
      <p class="lede">
        Each unit is asked for by its triggers and probes, by ranks without any lift. A rival outranks it, or is close
        behind.
      </p>
      <Chart
        title="Who comes instead"
        says="One row a unit, one column whoever outranks it: the share of the unit’s intents that the other takes. The diagonal is the share that the unit keeps."
        of={siblings}
        draw={drawConfusion}
        table={{ columns: columnsOf(summary.name), rows: siblings.rivalries, keyOf: (it) => `${it.unit} ${it.rival}` }}
      />
      <h2>{count(siblings.rivalries.length, 'pair')}, and what may help</h2>
      <ul class="rivalries">
        {siblings.rivalries.slice(0, MOST_TOLD).map((it) => (
          <RivalryItem key={`${it.unit} ${it.rival}`} agent={summary.name} rivalry={it} />
        ))}
      </ul>
      {siblings.rivalries.length > MOST_TOLD && (
        <p>{siblings.rivalries.length - MOST_TOLD} more are in the figures above.</p>
      )}
    </>
  );
}

const MOST_TOLD = 20;

function RivalryItem({ agent, rivalry: it }: { readonly agent: string; readonly rivalry: Rivalry }) {
  return (
    <li>
      <p>
        <a href={agentHref(agent, 'units', it.rival)}>{it.rival}</a> takes {percent(it.steals)} of{' '}
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

/** Units that are drawn: those that lose most; the table behind has all. */
const MOST_DRAWN = 30;

interface Cell {
  readonly unit: string;
  readonly rival: string;
  readonly value: number;
}

const isKept = ({ unit, rival }: Cell) => unit === rival;

function cellsOf({ units, rivalries }: SiblingReport): Cell[] {
  const taken = rivalries.filter((it) => it.outranks > 0);
  const drawn = new Set([...new Set(taken.flatMap((it) => [it.unit, it.rival]))].slice(0, MOST_DRAWN));
  return [
    ...units
      .filter((it) => drawn.has(it.name) && it.asked > 0)
      .map((it) => ({ unit: it.name, rival: it.name, value: it.first / it.asked })),
    ...taken
      .filter((it) => drawn.has(it.unit) && drawn.has(it.rival))
      .map((it) => ({ unit: it.unit, rival: it.rival, value: it.steals })),
  ];
}

/** A cell with its number in it; narrower ones have none. */
const NUMBERED = 34;

function drawConfusion(report: SiblingReport, width: number): PlotOptions {
  const cells = cellsOf(report);
  const names = [...new Set(cells.flatMap((it) => [it.unit, it.rival]))].sort();
  const margin = Math.min(Math.max(8, ...names.map((it) => it.length)) * 7 + 10, width * 0.35);
  const places = { x: 'rival', y: 'unit' };
  const fill = (it: Cell) => (isKept(it) ? heat(it.value) : loss(it.value));
  const ink = (it: Cell) => (isKept(it) ? heatText(it.value) : 'var(--ink)');
  const numbers = text(cells, { ...places, text: (it: Cell) => percent(it.value), fill: ink });
  const isWide = (width - margin) / Math.max(1, names.length) > NUMBERED;
  return {
    height: margin + 20 + names.length * 24,
    marginLeft: margin,
    marginTop: margin * 0.9,
    x: { axis: 'top', label: null, domain: names, tickRotate: -60, tickSize: 0 },
    y: { label: null, domain: names, tickSize: 0 },
    marks: [cell(cells, { ...places, fill, inset: 1 }), ...(isWide ? [numbers] : [])],
  };
}
