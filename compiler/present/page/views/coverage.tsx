import type { PlotOptions } from '@observablehq/plot';
import { FINDABILITY_LEAST } from '../../../schema/bundle/coverage.ts';
import type { UnitReport } from '../../../schema/report/unit-report.ts';
import type { AgentProps } from '../parts/agent-props.ts';
import { Chart } from '../parts/chart.tsx';
import { heatChart } from '../parts/heat.ts';
import { Table, type Column } from '../parts/table.tsx';
import { Term } from '../parts/term.tsx';
import type { TermName } from '../parts/terms.ts';
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
        Measured {measured[0]?.measure?.last_evaluated_at.slice(0, 10)} by ranks without <Term of="boost">boost</Term>.
        A unit must be among the first three for {percent(report.limits.coverage)} of its{' '}
        <Term of="paraphrase">paraphrases</Term>; below {percent(report.limits.critical_hit)} of hits among the first
        ten it is <Term of="critical">critical</Term>. Below {percent(FINDABILITY_LEAST)} of{' '}
        <Term of="findability">findability</Term> it needs a look.
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
    {
      head: 'Paraphrases',
      term: 'paraphrase',
      numeric: true,
      cell: (it) => `${it.measure?.found ?? 0}/${it.measure?.paraphrases ?? 0}`,
    },
    {
      head: 'Mechanical',
      term: 'verbatim',
      numeric: true,
      cell: (it) => whole(it.measure?.verbatim ?? 0),
    },
    ...MEASURES.map(({ head, term, of }) => ({
      head,
      term,
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

interface Measure {
  readonly head: string;
  readonly term: TermName;
  readonly of: (it: UnitReport) => number | null;
}

const MEASURES: readonly Measure[] = [
  {
    head: 'Coverage',
    term: 'coverage',
    of: ({ measure }) => (measure && measure.paraphrases > 0 ? measure.coverage_pct : null),
  },
  { head: 'Findability', term: 'findability', of: ({ measure }) => measure?.findability?.score ?? null },
  { head: 'Hit@3', term: 'unit_hit', of: ({ measure }) => measure?.hit_at_3 ?? null },
  { head: 'Hit@10', term: 'unit_hit', of: ({ measure }) => measure?.hit_at_10 ?? null },
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
  { head: 'Trigger', term: 'trigger', prose: true, cell: (it) => shown(it.intent) },
  { head: 'Paraphrase', term: 'paraphrase', prose: true, cell: (it) => shown(it.paraphrase) },
  { head: 'Rank', numeric: true, by: (it) => it.rank, cell: (it) => it.rank ?? 'not ranked' },
  { head: 'Units instead', term: 'instead', prose: true, cell: (it) => it.outranked_by.join(', ') },
];

/** The measures that any unit has. */
function kindsOf(units: readonly UnitReport[], probes: AgentProps['agent']['probes']) {
  const probed = new Map((probes?.summary.units ?? []).map((it) => [it.name, it.coverage_at_k]));
  const all = [
    ...MEASURES,
    { head: `Probes@${probes?.summary.k ?? 3}`, of: (it: UnitReport) => probed.get(it.name) ?? null },
  ];
  return all.filter(({ of }) => units.some((unit) => of(unit) !== null));
}

function drawHeat({ units, probes }: AgentProps['agent'], width: number): PlotOptions {
  const kinds = kindsOf(units, probes);
  const cells = units.flatMap((unit) =>
    kinds.flatMap(({ head, of }) => {
      const share = of(unit);
      return share === null ? [] : [{ row: unit.name, column: head, share, shown: percent(share) }];
    }),
  );
  const rows = units.map(({ name }) => name);
  const columns = kinds.map(({ head }) => head);
  return heatChart(rows, columns, cells, width);
}
