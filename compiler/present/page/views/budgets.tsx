import { type PlotOptions, barX, ruleX, dot, axisX } from '@observablehq/plot';
import type { AgentSummary } from '../../../schema/report/agent-summary.ts';
import type { Report } from '../../../schema/report/report.ts';
import { Chart, type ChartProps } from '../parts/chart.tsx';
import { sideLabels, ticksIn } from '../parts/labels.ts';
import { Term } from '../parts/term.tsx';
import { textWidth } from '../parts/text-width.ts';
import { percent, whole } from '../parts/wording.ts';

interface BudgetsProps {
  readonly report: Report;
  readonly table: ChartProps<Report, AgentSummary>['table'];
}

/** Sizes of each agent's boot stub and manifest, beside their limits. */
export function Budgets({ report, table }: BudgetsProps) {
  return (
    <Chart
      title="Token budgets"
      says={`Boot stubs and manifests as a share of their budgets: ${whole(report.limits.stub)} and ${whole(report.limits.manifest)} tokens.`}
      of={report}
      draw={drawBudgets}
      table={table}
    >
      <p class="key">
        <span class="entry">
          <span class="swatch accent" aria-hidden="true" /> boot stubs
        </span>
        <span class="entry">
          <span class="swatch quiet" aria-hidden="true" /> manifests
        </span>
        The red line is their <Term of="document_budget">budget</Term>.
      </p>
    </Chart>
  );
}

/** Place for the words “Stub” and “Manifest”, in pixels. */
const KINDS_WIDTH = 70;

/** Up to this many agents have their own bars; more are dots on a line. */
const BARS = 24;

function drawBudgets({ agents, limits }: Report, width: number): PlotOptions {
  const shares = agents.flatMap(({ name, tokens }) => [
    { name, kind: 'Stub', share: tokens.stub / limits.stub },
    { name, kind: 'Manifest', share: tokens.manifest / limits.manifest },
  ]);
  const x = { domain: [0, Math.max(1, ...shares.map((it) => it.share)) * 1.04], label: null };
  const names = sideLabels(
    agents.map((it) => it.name),
    width * 0.35,
    textWidth,
  );
  const ticks = ticksIn(width - KINDS_WIDTH - names.margin);
  const marks = [axisX({ tickFormat: (it: number) => percent(it), ticks }), ruleX([1], { stroke: 'var(--bad)' })];
  const fill = ({ kind }: { kind: string }) => (kind === 'Stub' ? 'var(--accent)' : 'var(--quiet-bar)');
  if (agents.length > BARS) {
    const strip = dot(shares, { x: 'share', y: 'kind', r: 4, fill, fillOpacity: 0.5, title: 'name' });
    return { width, height: 130, marginLeft: KINDS_WIDTH, x, y: { label: null }, marks: [...marks, strip] };
  }
  const bars = barX(shares, { x: 'share', y: 'kind', fy: 'name', fill, insetTop: 1 });
  const height = 40 + agents.length * 44;
  return {
    width,
    height,
    marginLeft: KINDS_WIDTH,
    marginRight: names.margin + 10,
    x,
    y: { label: null },
    fy: { label: null, tickFormat: names.tickFormat },
    marks: [...marks, bars],
  };
}
