import { cell, text, type PlotOptions } from '@observablehq/plot';
import type { AgentReport } from '../../../schema/report/agent-report.ts';
import type { ProbeResult } from '../../../schema/source/probe.ts';
import type { AgentProps } from '../parts/agent-props.ts';
import { Chart } from '../parts/chart.tsx';
import { Figure } from '../parts/figure.tsx';
import { heat, heatText } from '../parts/heat.ts';
import { Chip } from '../parts/mark.tsx';
import { PLACES, ranksOf, type Ranks } from '../parts/probe-ranks.ts';
import { Table, type Column } from '../parts/table.tsx';
import { percent, shown, whole } from '../parts/wording.ts';

/** The curated probes: the units that each must find, and their ranks. */
export function Probes({ agent: { probes } }: AgentProps) {
  if (probes === null) return <p>There are no curated probes for this agent.</p>;
  const { summary, results } = probes;
  return (
    <>
      <dl class="figures">
        <Figure name="Passed" value={`${summary.passed} of ${summary.probes}`} />
        <Figure name={`Probe-coverage@${summary.k}`} value={percent(summary.coverage_at_k, 1)} />
        <Figure name={`Probe-hit@${summary.k}`} value={percent(summary.hit_at_k, 1)} />
        <Figure name="Hit@10" value={percent(summary.hit_at_10, 1)} />
        {summary.hit_at_3 !== null && (
          <Figure name="Hit@3" value={percent(summary.hit_at_3, 1)} note="a small garden" />
        )}
      </dl>
      <Moved name="Lost" kind="bad" intents={probes.lost} />
      <Moved name="Won" kind="good" intents={probes.won} />
      <Chart
        title="Where probes rank their units"
        says="One row per unit: how many of its probes rank it first, second, third, lower, or not at all."
        of={probes}
        draw={drawRanks}
        table={{ columns: RANK_COLUMNS, rows: ranksOf(results), keyOf: (it) => it.unit }}
      />
      <h2>Every probe</h2>
      <Table caption="Probes" quiet columns={columnsOf(summary.k)} rows={results} keyOf={(it) => it.intent} />
    </>
  );
}

function Moved({
  name,
  kind,
  intents,
}: {
  readonly name: string;
  readonly kind: 'bad' | 'good';
  readonly intents: readonly string[];
}) {
  if (intents.length === 0) return null;
  return (
    <section aria-label={name}>
      <h2>
        {name} <Chip kind={kind}>{intents.length}</Chip>
      </h2>
      <ul>
        {intents.map((it) => (
          <li key={it}>{shown(it)}</li>
        ))}
      </ul>
    </section>
  );
}

const isWithin = (k: number) => (it: { rank: number | null }) => it.rank !== null && it.rank <= k;

function columnsOf(k: number): readonly Column<ProbeResult>[] {
  const passes = (it: ProbeResult) => it.required.every(isWithin(k)) && !it.forbidden.some(isWithin(k));
  const places = (units: ProbeResult['required']) =>
    units.map((it) => `${it.name} ${it.rank === null ? 'not ranked' : `#${it.rank}`}`);
  return [
    { head: 'Intent', heading: true, by: (it) => it.intent, cell: (it) => shown(it.intent) },
    { head: 'Must find', cell: (it) => places(it.required).join(', ') },
    { head: 'Must not find', cell: (it) => places(it.forbidden).join(', ') || '–' },
    {
      head: 'Result',
      by: (it) => (passes(it) ? 1 : 0),
      cell: (it) => (passes(it) ? <Chip kind="good">passes</Chip> : <Chip kind="bad">fails</Chip>),
    },
  ];
}

const RANK_COLUMNS: readonly Column<Ranks>[] = [
  { head: 'Unit', heading: true, by: (it) => it.unit, cell: (it) => it.unit },
  ...PLACES.map((place) => ({
    head: place,
    numeric: true as const,
    by: (it: Ranks) => it.at[place],
    cell: (it: Ranks) => whole(it.at[place]),
  })),
];

function drawRanks({ results }: NonNullable<AgentReport['probes']>, width: number): PlotOptions {
  const rows = ranksOf(results);
  const cells = rows.flatMap(({ unit, probes, at }) =>
    PLACES.filter((place) => at[place] > 0).map((place) => ({ unit, place, n: at[place], share: at[place] / probes })),
  );
  const longest = Math.max(8, ...rows.map((it) => it.unit.length));
  return {
    height: 50 + rows.length * 24,
    marginLeft: Math.min(longest * 7 + 10, width * 0.4),
    marginTop: 30,
    x: { axis: 'top', label: 'rank', domain: PLACES, tickSize: 0 },
    y: { label: null, tickSize: 0 },
    marks: [
      cell(cells, { x: 'place', y: 'unit', fill: (it: { share: number }) => heat(it.share), inset: 1 }),
      text(cells, { x: 'place', y: 'unit', text: 'n', fill: (it: { share: number }) => heatText(it.share) }),
    ],
  };
}
