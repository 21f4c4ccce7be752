import { axisX, axisY, dot, lineY, rectY, ruleY, type PlotOptions } from '@observablehq/plot';
import type { GuaranteedMetrics, MetricsDay } from '../../../schema/api/metrics.ts';
import type { AuditFigures } from '../../../schema/report/agent-report.ts';
import type { Report } from '../../../schema/report/report.ts';
import type { AgentProps } from '../parts/agent-props.ts';
import { Chart } from '../parts/chart.tsx';
import { Figure } from '../parts/figure.tsx';
import { ticksIn } from '../parts/labels.ts';
import { Mark } from '../parts/mark.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { count, day, instant, percent, whole } from '../parts/wording.ts';
import { Missed } from './missed.tsx';

/** The k of the drawn Recall@k. */
const K = 3;

/** The figures of service, as agents reported them. */
export function AuditView({ agent: { audit }, report: { limits, limitation, shows_intents } }: AgentProps) {
  if (audit === null) {
    return (
      <p>
        No audit was given. Give one with <code>vade report --audit audit.db</code>.
      </p>
    );
  }
  const { read } = audit;
  return (
    <>
      <p class="lede">{limitation}</p>
      {!read.complete && <p class="notice">Rows before {instant(read.from)} UTC were not read: there are too many.</p>}
      <Live audit={audit} />
      <Trend audit={audit} limits={limits} />
      <Guaranteed audit={audit} limits={limits} />
      <Missed audit={audit} shows={shows_intents} />
    </>
  );
}

interface TrendProps {
  readonly audit: AuditFigures;
  readonly limits: Report['limits'];
}

function Trend({ audit, limits }: TrendProps) {
  const table = { columns: DAY_COLUMNS, rows: audit.metrics.days, keyOf: (it: MetricsDay) => it.day };
  return (
    <>
      <Chart
        title="Misses and recall, by day"
        says={`For each day the share of what agents needed that was missing, over seven days, and the share of what they used that was among the first ${K}. More than ${percent(limits.miss_rate)} over ${limits.miss_events} answers is an alert.`}
        of={audit}
        draw={drawRates}
        table={table}
      >
        <p class="key">
          <span class="entry">
            <span class="swatch bad" aria-hidden="true" /> miss rate, seven days
          </span>
          <span class="entry">
            <span class="swatch accent" aria-hidden="true" /> recall@{K}
          </span>
        </p>
      </Chart>
      <Chart
        title="Recalls, by day"
        says="How many recalls each day had."
        of={audit}
        draw={drawRecalls}
        table={table}
      />
    </>
  );
}

function Guaranteed({ audit: { metrics }, limits }: TrendProps) {
  if (metrics.guaranteed.length === 0) return null;
  return (
    <>
      <h2>Use of guaranteed units</h2>
      <p>
        A guaranteed unit that fewer than {percent(limits.relevant)} of its recalls use costs more than it is worth.
      </p>
      <Table caption="Guaranteed units" quiet columns={GUARANTEED} rows={metrics.guaranteed} keyOf={(it) => it.name} />
    </>
  );
}

function Live({ audit: { metrics } }: { readonly audit: AuditFigures }) {
  const at = metrics.at.find((it) => it.k === K);
  const { unclosed, silent, by_others } = metrics.excluded;
  const { finds } = metrics;
  const ofFinds = `of ${count(finds.reported, 'find')}`;
  return (
    <dl class="figures">
      <Figure name="Recalls" value={whole(metrics.recalls)} note={`${day(metrics.since)} to ${day(metrics.until)}`} />
      <Figure
        name="Miss rate, 7 days"
        term="miss_rate"
        value={percent(metrics.rolling.miss_rate, 1)}
        note={`${count(metrics.rolling.events, 'answer')}${metrics.alert ? ', alert' : ''}`}
        bad={() => metrics.alert}
      />
      <Figure name="Right in first place" term="find" value={percent(finds.first, 1)} note={ofFinds} />
      <Figure name="After a choice" term="candidate" value={percent(finds.choice, 1)} note={ofFinds} />
      <Figure name="Nothing found" value={percent(finds.none, 1)} note={ofFinds} />
      <Figure name={`Recall@${K}`} term="recall_at" value={percent(at?.recall ?? null, 1)} />
      <Figure name={`Hit@${K}`} term="heartbeat_hit" value={percent(at?.hit ?? null, 1)} note="by heartbeat" />
      <Figure
        name="Tokens saved"
        term="saved"
        value={percent(metrics.tokens.saved, 1)}
        note={comparedIn(metrics.tokens)}
      />
      {metrics.aborted > 0 && (
        <Figure name="Aborted heartbeats" term="heartbeat" value={whole(metrics.aborted)} bad={() => true} />
      )}
      <Figure
        name="Not counted"
        term="closed"
        value={whole(unclosed + silent + by_others)}
        note={`${unclosed} not closed, ${silent} without a report, ${by_others} by others`}
      />
    </dl>
  );
}

/** The basis of the saving: without a named heartbeat there is nothing to compare with. */
function comparedIn({ heartbeats, unnamed }: AuditFigures['metrics']['tokens']): string {
  const compared = `in ${count(heartbeats, 'named heartbeat')}`;
  return unnamed === 0 ? compared : `${compared}; ${count(unnamed, 'recall')} without one`;
}

const GUARANTEED: readonly Column<GuaranteedMetrics>[] = [
  { head: 'Unit', heading: true, cell: (it) => it.name },
  { head: 'Closed recalls', term: 'closed', numeric: true, cell: (it) => whole(it.recalled) },
  { head: 'Used by', numeric: true, cell: (it) => <Mark bad={it.warning}>{percent(it.relevant, 1)}</Mark> },
];

const recallOf = (it: MetricsDay) => it.recall_at.find(({ k }) => k === K)?.recall ?? null;

const DAY_COLUMNS: readonly Column<MetricsDay>[] = [
  { head: 'Day', heading: true, by: (it) => it.day, cell: (it) => it.day },
  { head: 'Recalls', numeric: true, by: (it) => it.recalls, cell: (it) => whole(it.recalls) },
  { head: 'Reported', numeric: true, by: (it) => it.events, cell: (it) => whole(it.events) },
  { head: `Recall@${K}`, term: 'recall_at', numeric: true, by: recallOf, cell: (it) => percent(recallOf(it), 1) },
  {
    head: 'Miss rate',
    term: 'miss_rate',
    numeric: true,
    by: (it) => it.miss_rate,
    cell: (it) => percent(it.miss_rate, 1),
  },
  { head: 'Over 7 days', numeric: true, by: (it) => it.rolling, cell: (it) => percent(it.rolling, 1) },
];

const DAY_MS = 24 * 60 * 60 * 1000;

/** The window of both plots, in whole days, so that their axes agree. */
const datesOf = ({ metrics }: AuditFigures) => [
  new Date(day(metrics.since)),
  new Date(Date.parse(day(metrics.until)) + DAY_MS),
];

function drawRates(audit: AuditFigures, width: number): PlotOptions {
  const rows = audit.metrics.days.map((it) => ({ x: new Date(it.day), miss: it.rolling, recall: recallOf(it) }));
  const line = (y: 'miss' | 'recall', stroke: string) => [
    lineY(rows, { x: 'x', y, stroke, strokeWidth: 2 }),
    dot(
      rows.filter((it) => it[y] !== null),
      { x: 'x', y, fill: stroke, r: 3 },
    ),
  ];
  return {
    height: 220,
    marginLeft: 50,
    // a tick of the first day of a month has two lines
    marginBottom: 40,
    x: { type: 'utc', domain: datesOf(audit), label: null },
    y: { domain: [0, 1], label: null },
    marks: [
      axisX({ ticks: ticksIn(width) }),
      axisY({ tickFormat: (it: number) => percent(it), ticks: 5 }),
      ruleY([0]),
      ...line('recall', 'var(--accent)'),
      ...line('miss', 'var(--bad)'),
    ],
  };
}

function drawRecalls(audit: AuditFigures, width: number): PlotOptions {
  const rows = audit.metrics.days.map((it) => ({ x: new Date(it.day), recalls: it.recalls }));
  return {
    height: 170,
    marginLeft: 50,
    marginBottom: 40,
    x: { type: 'utc', domain: datesOf(audit), label: null },
    // days without recalls have a scale too, and few recalls no halves
    y: { label: null, ticks: 4, grid: true, domain: [0, Math.max(4, ...rows.map((it) => it.recalls))] },
    marks: [
      axisX({ ticks: ticksIn(width) }),
      rectY(rows, { x: 'x', y: 'recalls', interval: 'day', fill: 'var(--bar)', inset: 1 }),
      ruleY([0]),
    ],
  };
}
