import type { GuaranteedMetrics, MetricsDay } from '../../../schema/api/metrics.ts';
import type { AuditFigures } from '../../../schema/report/agent-report.ts';
import type { Report } from '../../../schema/report/report.ts';
import type { AgentProps } from '../parts/agent-props.ts';
import { Figure } from '../parts/figure.tsx';
import { Chip, Mark } from '../parts/mark.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { Term } from '../parts/term.tsx';
import { count, day, instant, percent, shown, whole } from '../parts/wording.ts';

/** The k of the shown Recall@k. */
const K = 3;

/** The figures of service, as agents reported them. */
export function AuditView({ agent: { audit }, report: { limits, limitation } }: AgentProps) {
  if (audit === null) {
    return (
      <p>
        No audit was given. Give one with <code>vade report --audit audit.db</code>.
      </p>
    );
  }
  const { read, metrics } = audit;
  return (
    <>
      <p class="lede">{limitation}</p>
      {!read.complete && <p class="notice">Rows before {instant(read.from)} UTC were not read: there are too many.</p>}
      <Live audit={audit} />
      <h2>Misses and recall, by day</h2>
      <p>
        The miss rate over seven days is an alert if it is more than {percent(limits.miss_rate)} of over{' '}
        {limits.miss_events} answers.
      </p>
      <Table caption="Days" quiet columns={daysOf(limits)} rows={metrics.days} keyOf={(it) => it.day} />
      <Guaranteed audit={audit} limits={limits} />
      <Missed audit={audit} />
    </>
  );
}

interface GuaranteedProps {
  readonly audit: AuditFigures;
  readonly limits: Report['limits'];
}

function Guaranteed({ audit: { metrics }, limits }: GuaranteedProps) {
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

/** Units that agents reported as missed. Names are untrusted, and may be of units that do not exist. */
function Missed({ audit: { metrics } }: { readonly audit: AuditFigures }) {
  return (
    <>
      <h2>
        Missed units <Term of="missed" />
      </h2>
      {metrics.missed.length === 0 && <p>No unit was reported as missed.</p>}
      <ul>
        {metrics.missed.map((it) => (
          <li key={it.name}>
            {shown(it.name)}: {count(it.times, 'time')} {!it.exists && <Chip kind="warn">there is no such unit</Chip>}
          </li>
        ))}
      </ul>
      {metrics.more_missed > 0 && <p>{count(metrics.more_missed, 'more name')} were missed.</p>}
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

function daysOf({ miss_rate }: Report['limits']): readonly Column<MetricsDay>[] {
  return [
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
    {
      head: 'Over 7 days',
      numeric: true,
      by: (it) => it.rolling,
      cell: (it) => <Mark bad={(it.rolling ?? 0) > miss_rate}>{percent(it.rolling, 1)}</Mark>,
    },
  ];
}
