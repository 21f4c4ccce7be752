import { cell, text, type PlotOptions } from '@observablehq/plot';
import { passes, requiredFound } from '../../../quality/probes.ts';
import type { AgentReport } from '../../../schema/report/agent-report.ts';
import type { ProbeResult, ProbeSummary } from '../../../schema/source/probe.ts';
import type { AgentProps } from '../parts/agent-props.ts';
import { Chart } from '../parts/chart.tsx';
import { Figure } from '../parts/figure.tsx';
import { heat, heatText } from '../parts/heat.ts';
import { columnHeads, sideLabels } from '../parts/labels.ts';
import { Chip } from '../parts/mark.tsx';
import { PLACES, ranksOf, type Ranks } from '../parts/probe-ranks.ts';
import { agentHref } from '../parts/route.ts';
import { Table, type Column } from '../parts/table.tsx';
import { textWidth } from '../parts/text-width.ts';
import { percent, shown, whole } from '../parts/wording.ts';

/** The curated probes: the units that each must find, and their ranks. Those that fail come first. */
export function Probes({ agent: { probes, summary: agent } }: AgentProps) {
  if (probes === null) return <p>There are no curated probes for this agent.</p>;
  const { summary, results } = probes;
  const { k } = summary;
  const failing = results.filter((it) => !passes(it, k));
  return (
    <>
      <ProbeFigures summary={summary} placed={requiredFound(results, k)} />
      {failing.length > 0 && <Failing agent={agent.name} k={k} failing={failing} />}
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
      <Table caption="Probes" quiet columns={columnsOf(k)} rows={results} keyOf={(it) => it.intent} />
    </>
  );
}

interface ProbeFiguresProps {
  readonly summary: ProbeSummary;
  readonly placed: ReturnType<typeof requiredFound>;
}

function ProbeFigures({ summary, placed }: ProbeFiguresProps) {
  const { k, passed, probes } = summary;
  return (
    <dl class="figures">
      <Figure name="Probes passed" term="probes_passed" value={`${passed} of ${probes}`} bad={() => passed < probes} />
      <Figure
        name="Required units found"
        term="found"
        value={`${placed.found} of ${placed.required}`}
        note={`among the first ${k}`}
      />
      <Figure name={`Probe-coverage@${k}`} term="probe_coverage" value={percent(summary.coverage_at_k, 1)} />
      <Figure name={`Probe-hit@${k}`} term="probe_hit" value={percent(summary.hit_at_k, 1)} />
      <Figure name="Probe-hit@10" term="probe_hit" value={percent(summary.hit_at_10, 1)} />
      {summary.hit_at_3 !== null && (
        <Figure name="Probe-hit@3" term="probe_hit" value={percent(summary.hit_at_3, 1)} note="a small garden" />
      )}
    </dl>
  );
}

interface FailingProps {
  readonly agent: string;
  readonly k: number;
  readonly failing: readonly ProbeResult[];
}

/** The probes that fail, and why: which unit is not where it should be. */
function Failing({ agent, k, failing }: FailingProps) {
  return (
    <section aria-label="Failing probes">
      <h2>
        Failing <Chip kind="bad">{failing.length}</Chip>
      </h2>
      <ul class="failing">
        {failing.map(({ intent, required, forbidden }) => (
          <li key={intent}>
            <p>“{shown(intent)}”</p>
            <ul>
              {required
                .filter((it) => !isWithin(k)(it))
                .map((it) => (
                  <li key={it.name}>
                    must find <a href={agentHref(agent, 'units', it.name)}>{it.name}</a> among the first {k}:{' '}
                    {rankOf(it)}
                  </li>
                ))}
              {forbidden.filter(isWithin(k)).map((it) => (
                <li key={it.name}>
                  must not find <a href={agentHref(agent, 'units', it.name)}>{it.name}</a> among the first {k}:{' '}
                  {rankOf(it)}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
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

const rankOf = ({ rank }: { rank: number | null }) => (rank === null ? 'not ranked' : `#${rank}`);

const isWithin = (k: number) => (it: { rank: number | null }) => it.rank !== null && it.rank <= k;

function columnsOf(k: number): readonly Column<ProbeResult>[] {
  const places = (units: ProbeResult['required']) => units.map((it) => `${it.name} ${rankOf(it)}`);
  return [
    {
      head: 'Intent',
      term: 'intent',
      heading: true,
      prose: true,
      by: (it) => it.intent,
      cell: (it) => shown(it.intent),
    },
    { head: 'Must find', cell: (it) => places(it.required).join(', ') },
    { head: 'Must not find', cell: (it) => places(it.forbidden).join(', ') || '–' },
    {
      head: 'Result',
      by: (it) => (passes(it, k) ? 1 : 0),
      cell: (it) => (passes(it, k) ? <Chip kind="good">passes</Chip> : <Chip kind="bad">fails</Chip>),
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
  const side = sideLabels(
    rows.map((it) => it.unit),
    width * 0.4,
    textWidth,
  );
  const { marginTop, marginRight, ...heads } = columnHeads(
    PLACES,
    { room: width - side.margin - 20, most: 100 },
    textWidth,
  );
  return {
    height: marginTop + 10 + rows.length * 24,
    marginLeft: side.margin,
    marginTop,
    marginRight,
    x: { axis: 'top', label: null, domain: PLACES, tickSize: 0, ...heads },
    y: { label: null, tickSize: 0, tickFormat: side.tickFormat },
    marks: [
      cell(cells, { x: 'place', y: 'unit', fill: (it: { share: number }) => heat(it.share), inset: 1 }),
      text(cells, { x: 'place', y: 'unit', text: 'n', fill: (it: { share: number }) => heatText(it.share) }),
    ],
  };
}
