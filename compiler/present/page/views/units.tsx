import { axisX, barX, ruleX, type PlotOptions } from '@observablehq/plot';
import type { UnitReport } from '../../../schema/report/unit-report.ts';
import type { AgentProps } from '../parts/agent-props.ts';
import { Chart } from '../parts/chart.tsx';
import { Figure } from '../parts/figure.tsx';
import { sideLabels, ticksIn } from '../parts/labels.ts';
import { Chip, Mark } from '../parts/mark.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { Term } from '../parts/term.tsx';
import { textWidth } from '../parts/text-width.ts';
import { unitColumn } from '../parts/unit-column.tsx';
import { count, percent, whole } from '../parts/wording.ts';

/** The units of an agent, and their costs in tokens. */
export function Units({ agent, report }: AgentProps) {
  const { summary, units, manifest } = agent;
  const { limits } = report;
  return (
    <>
      <dl class="figures">
        <Figure name="Boot stub" term="stub" value={whole(summary.tokens.stub)} note={`of ${limits.stub} tokens`} />
        <Figure
          name="Manifest"
          term="manifest"
          value={whole(summary.tokens.manifest)}
          note={`of ${whole(limits.manifest)} tokens`}
        />
        <Figure
          name="All units"
          term="eager"
          value={whole(summary.tokens.units)}
          note={`tokens of ${count(summary.units, 'unit')}`}
        />
        <Figure name="Largest unit" term="unit" value={whole(summary.tokens.largest_unit)} note="tokens" />
        <Figure name="Guaranteed" term="guaranteed" value={whole(summary.guaranteed)} note="at most 5" />
      </dl>
      {manifest && manifest.unlisted > 0 && (
        <p>
          The manifest lists {count(manifest.listed, 'unit')}; {count(manifest.unlisted, 'more unit')} can be recalled.
        </p>
      )}
      <Table caption="Units" quiet columns={columnsOf(summary.name)} rows={units} keyOf={(it) => it.name} />
      <Chart
        title="Tokens to load"
        says={`Tokens of each boot stub, of the manifest and of each unit; a stub may have ${limits.stub}, the manifest ${whole(limits.manifest)}.`}
        of={agent}
        draw={drawCosts}
        table={{ columns: COST_COLUMNS, rows: costsOf(agent), keyOf: (it) => `${it.kind} ${it.name}` }}
      />
    </>
  );
}

/** The marks of a unit. */
export function UnitChips({ unit }: { readonly unit: UnitReport }) {
  const { delivery, measure } = unit;
  return (
    <>
      {unit.shared && <Chip>shared</Chip>}
      {delivery.guarantee_load && (
        <Chip kind="good">
          <Term of="guaranteed">guaranteed</Term>
        </Chip>
      )}
      {delivery.force_position === 'prepend' && <Chip kind="warn">prepended</Chip>}
      {!unit.listed && (
        <Chip>
          <Term of="unlisted">unlisted</Term>
        </Chip>
      )}
      {unit.lifted && (
        <Chip kind="warn">
          <Term of="boost">boosted</Term>
        </Chip>
      )}
      {unit.valid_until !== null && <Chip>until {unit.valid_until.slice(0, 10)}</Chip>}
      {measure?.status === 'coverage_critical' && (
        <Chip kind="bad">
          <Term of="critical">critical</Term>
        </Chip>
      )}
      {measure?.status === 'not_evaluated' && (
        <Chip>{measure.judged_by === 'nothing' ? 'no trigger: nothing to judge' : 'not evaluated'}</Chip>
      )}
    </>
  );
}

/** Of a unit of which nothing was asked there is no share. */
const coverageOf = ({ measure }: UnitReport) => (measure && measure.paraphrases > 0 ? measure.coverage_pct : null);

function columnsOf(agent: string): readonly Column<UnitReport>[] {
  return [
    unitColumn(agent, (it) => it.name),
    { head: 'Description', prose: true, cell: (it) => it.delivery.description },
    { head: 'Version', numeric: true, by: (it) => versionOf(it), cell: (it) => `v${versionOf(it)}` },
    {
      head: 'Tokens',
      term: 'token',
      numeric: true,
      by: (it) => it.tokens,
      cell: (it) => whole(it.tokens),
    },
    {
      head: 'Coverage',
      term: 'coverage',
      numeric: true,
      by: coverageOf,
      cell: (it) => percent(coverageOf(it)),
    },
    {
      head: 'Hit@10',
      term: 'unit_hit',
      numeric: true,
      by: (it) => it.measure?.hit_at_10 ?? null,
      cell: (it) => (
        <Mark bad={it.measure?.status === 'coverage_critical'}>{percent(it.measure?.hit_at_10 ?? null)}</Mark>
      ),
    },
    {
      head: 'Probes',
      term: 'probe',
      numeric: true,
      by: (it) => it.measure?.probe_count ?? 0,
      cell: (it) => whole(it.measure?.probe_count ?? 0),
    },
    { head: 'Marks', cell: (it) => <UnitChips unit={it} /> },
  ];
}

/** The number at the end of a unit's URI. */
function versionOf({ uri }: UnitReport): number {
  return Number(/\/v(\d+)$/.exec(uri)?.[1] ?? 0);
}

interface Cost {
  readonly name: string;
  readonly kind: 'stub' | 'manifest' | 'unit';
  readonly tokens: number;
}

function costsOf({ stubs, manifest, units }: AgentProps['agent']): Cost[] {
  return [
    ...stubs.map((it) => ({ name: `stub, ${it.profile}`, kind: 'stub' as const, tokens: it.tokens })),
    ...(manifest ? [{ name: 'manifest', kind: 'manifest' as const, tokens: manifest.tokens }] : []),
    ...[...units]
      .sort((a, b) => b.tokens - a.tokens)
      .map((it) => ({ name: it.name, kind: 'unit' as const, tokens: it.tokens })),
  ];
}

const COST_COLUMNS: readonly Column<Cost>[] = [
  { head: 'What', heading: true, cell: (it) => it.name },
  { head: 'Kind', cell: (it) => it.kind },
  { head: 'Tokens', numeric: true, by: (it) => it.tokens, cell: (it) => whole(it.tokens) },
];

/** Maximum number of bars that are drawn. The table has all. */
const MOST = 40;

const FILLS = { stub: 'var(--accent)', manifest: 'var(--quiet-bar)', unit: 'var(--bar)' };

function drawCosts(agent: AgentProps['agent'], width: number): PlotOptions {
  const costs = costsOf(agent).slice(0, MOST);
  const names = costs.map((it) => it.name);
  const { margin, tickFormat } = sideLabels(names, width * 0.45, textWidth);
  return {
    marginBottom: 36,
    height: 56 + costs.length * 22,
    marginLeft: margin,
    x: { label: 'tokens', grid: true, ticks: ticksIn(width - margin) },
    y: { label: null, domain: names, tickFormat, tickSize: 0 },
    marks: [
      barX(costs, { x: 'tokens', y: 'name', fill: (it: Cost) => FILLS[it.kind], insetTop: 2, insetBottom: 2 }),
      ruleX([0]),
      axisX({ ticks: ticksIn(width - margin) }),
    ],
  };
}
