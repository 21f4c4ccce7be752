import { cell, text, type PlotOptions } from '@observablehq/plot';
import { FINDABILITY_LEAST } from '../../../schema/bundle/coverage.ts';
import type { UnitReport } from '../../../schema/report/unit-report.ts';
import type { AgentProps } from '../parts/agent-props.ts';
import { Chart } from '../parts/chart.tsx';
import { heat, heatText } from '../parts/heat.ts';
import { Table, type Column } from '../parts/table.tsx';
import { unitColumn } from '../parts/unit-column.tsx';
import { percent, shown, whole } from '../parts/wording.ts';

/** How well each unit is found by paraphrases of its triggers, and by its probes. */
export function CoverageView({ agent, report }: AgentProps) {
  const { units, summary } = agent;
  const measured = units.filter((it) => it.measure);
  if (measured.length === 0) return <p>No coverage was measured for this agent.</p>;
  const missed = units.flatMap(({ name, measure }) => (measure?.misses ?? []).map((miss) => ({ name, ...miss })));
  return (
    <>
      <p class="lede">
        Measured {measured[0]?.measure?.last_evaluated_at.slice(0, 10)} by ranks without boost. A unit must be among the
        first three for {percent(report.limits.coverage)} of its paraphrases; below{' '}
        {percent(report.limits.critical_hit)} of hits among the first ten it is critical. Findability is how surely
        paraphrases of each trigger find the unit without that trigger, and by its text alone; below{' '}
        {percent(FINDABILITY_LEAST)} it needs a look.
      </p>
      <Chart
        title="Where units are found"
        says="One row per unit: paraphrases that find it, probes that rank it among the first k, hits among the first ten."
        of={agent}
        draw={drawHeat}
        table={{ columns: columnsOf(summary.name), rows: measured, keyOf: (it) => it.name }}
      />
      <h2>Paraphrases that do not find their unit</h2>
      {missed.length === 0 ? (
        <p>Every paraphrase finds its unit.</p>
      ) : (
        <Table
          caption="Paraphrases that miss"
          quiet
          columns={MISSED}
          rows={missed}
          keyOf={(it) => `${it.name} ${it.paraphrase}`}
        />
      )}
    </>
  );
}

function columnsOf(agent: string): readonly Column<UnitReport>[] {
  return [
    unitColumn(agent, (it) => it.name),
    { head: 'Paraphrases', numeric: true, cell: (it) => `${it.measure?.found ?? 0}/${it.measure?.paraphrases ?? 0}` },
    { head: 'Mechanical', numeric: true, cell: (it) => whole(it.measure?.mechanical ?? 0) },
    ...MEASURES.map(({ head, of }) => ({
      head,
      numeric: true as const,
      by: (it: UnitReport) => of(it),
      cell: (it: UnitReport) => percent(of(it)),
    })),
    {
      head: 'Probes',
      numeric: true,
      by: (it) => it.measure?.probe_count ?? 0,
      cell: (it) => whole(it.measure?.probe_count ?? 0),
    },
  ];
}

const MEASURES: readonly { readonly head: string; readonly of: (it: UnitReport) => number | null }[] = [
  { head: 'Coverage', of: ({ measure }) => (measure && measure.paraphrases > 0 ? measure.coverage_pct : null) },
  { head: 'Findability', of: ({ measure }) => measure?.findability?.score ?? null },
  { head: 'Hit@3', of: ({ measure }) => measure?.hit_at_3 ?? null },
  { head: 'Hit@10', of: ({ measure }) => measure?.hit_at_10 ?? null },
];

interface Missed {
  readonly name: string;
  readonly intent: string;
  readonly paraphrase: string;
  readonly rank: number | null;
  readonly outranked_by: readonly string[];
}

const MISSED: readonly Column<Missed>[] = [
  { head: 'Unit', heading: true, by: (it) => it.name, cell: (it) => it.name },
  { head: 'Trigger', cell: (it) => shown(it.intent) },
  { head: 'Paraphrase', cell: (it) => shown(it.paraphrase) },
  { head: 'Rank', numeric: true, by: (it) => it.rank, cell: (it) => it.rank ?? 'not ranked' },
  { head: 'Above it', cell: (it) => it.outranked_by.join(', ') },
];

function drawHeat({ units, probes }: AgentProps['agent'], width: number): PlotOptions {
  const probed = new Map((probes?.summary.units ?? []).map((it) => [it.name, it.coverage_at_k]));
  const all = [
    ...MEASURES,
    { head: `Probes@${probes?.summary.k ?? 3}`, of: (it: UnitReport) => probed.get(it.name) ?? null },
  ];
  const kinds = all.filter(({ of }) => units.some((unit) => of(unit) !== null));
  const cells = units.flatMap((unit) =>
    kinds.flatMap(({ head, of }) => {
      const value = of(unit);
      return value === null ? [] : [{ unit: unit.name, head, value }];
    }),
  );
  const longest = Math.max(8, ...units.map((it) => it.name.length));
  return {
    height: 40 + units.length * 24,
    marginLeft: Math.min(longest * 7 + 10, width * 0.45),
    marginTop: 30,
    x: { axis: 'top', label: null, domain: kinds.map((it) => it.head), tickSize: 0 },
    y: { label: null, tickSize: 0 },
    marks: [
      cell(cells, { x: 'head', y: 'unit', fill: (it: { value: number }) => heat(it.value), inset: 1 }),
      text(cells, {
        x: 'head',
        y: 'unit',
        text: (it: { value: number }) => percent(it.value),
        fill: (it: { value: number }) => heatText(it.value),
      }),
    ],
  };
}
