import { type PlotOptions, barX, ruleX, dot, axisX } from '@observablehq/plot';
import { useState } from 'preact/hooks';
import type { AgentSummary } from '../../../schema/report/agent-summary.ts';
import type { Report } from '../../../schema/report/report.ts';
import { Chart } from '../parts/chart.tsx';
import { Figure } from '../parts/figure.tsx';
import { Mark } from '../parts/mark.tsx';
import { agentHref } from '../parts/route.ts';
import { Table, type Column } from '../parts/table.tsx';
import { count, instant, percent, short, whole } from '../parts/wording.ts';

/** The overview of a deployment. */
export function Overview({ report }: { readonly report: Report }) {
  return (
    <>
      <h1>{report.deployment}</h1>
      <BundlePanel report={report} />
      {report.unread.length > 0 && (
        <p class="notice">Gardens that do not verify, and are not in this report: {report.unread.join(', ')}.</p>
      )}
      <Figures report={report} />
      <Agents agents={report.agents} />
      <Chart
        title="Token budgets"
        says={`Boot stubs and manifests as a share of their budgets: ${whole(report.limits.stub)} and ${whole(report.limits.manifest)} tokens.`}
        of={report}
        draw={drawBudgets}
        table={{ columns: BUDGET_COLUMNS, rows: report.agents, keyOf: nameOf }}
      />
    </>
  );
}

const nameOf = ({ name }: AgentSummary) => name;

function BundlePanel({ report: { bundle, previous, model, audit, compiler } }: { readonly report: Report }) {
  return (
    <p class="lede">
      Bundle <strong>{bundle.serial}</strong> of {instant(bundle.committed_at)} UTC, commit{' '}
      <code>{short(bundle.commit)}</code>, compiler {compiler},{' '}
      {model ? `model ${model.name} (${model.dims} dimensions)` : 'no model: only words and links rank'}.{' '}
      {previous ? `Compared with bundle ${previous.serial}.` : 'Compared with no earlier bundle.'}{' '}
      {audit
        ? `The audit was read from ${instant(audit.since)} to ${instant(audit.until)}: ${count(audit.answers, 'row')}${audit.complete ? '' : ', and not completely'}.`
        : 'No audit was given: there are no figures of service.'}
    </p>
  );
}

function Figures({ report: { agents, audit } }: { readonly report: Report }) {
  const sum = (of: (it: AgentSummary) => number) => agents.reduce((all, it) => all + of(it), 0);
  const probed = agents.filter((it) => it.probes);
  const measured = agents.flatMap(({ coverage }) => coverage ?? []);
  const mean = measured.length === 0 ? null : measured.reduce((all, it) => all + it.mean, 0) / measured.length;
  const alerts = agents.filter((it) => it.audit?.alert).length;
  return (
    <dl class="figures">
      <Figure name="Agents" value={whole(agents.length)} />
      <Figure name="Coverage, mean" value={percent(mean)} />
      <Figure name="Critical units" value={whole(sum((it) => it.coverage?.critical ?? 0))} bad={(n) => n !== '0'} />
      <Figure
        name="Probes passed"
        value={`${whole(sum((it) => it.probes?.passed ?? 0))} of ${whole(sum((it) => it.probes?.probes ?? 0))}`}
        note={`${count(probed.length, 'agent')} with probes`}
      />
      <Figure name="Quarantined" value={whole(sum((it) => it.held))} bad={(n) => n !== '0'} />
      {audit && <Figure name="Miss alerts" value={whole(alerts)} bad={(n) => n !== '0'} />}
    </dl>
  );
}

const COLUMNS: readonly Column<AgentSummary>[] = [
  { head: 'Agent', heading: true, by: nameOf, cell: (it) => <a href={agentHref(it.name)}>{it.name}</a> },
  { head: 'Role', by: (it) => it.role, cell: (it) => it.role },
  { head: 'Units', numeric: true, by: (it) => it.units, cell: (it) => whole(it.units) },
  { head: 'Stub', numeric: true, by: (it) => it.tokens.stub, cell: (it) => whole(it.tokens.stub) },
  { head: 'Manifest', numeric: true, by: (it) => it.tokens.manifest, cell: (it) => whole(it.tokens.manifest) },
  { head: 'All units', numeric: true, by: (it) => it.tokens.units, cell: (it) => whole(it.tokens.units) },
  {
    head: 'Coverage',
    numeric: true,
    by: (it) => it.coverage?.mean ?? null,
    cell: (it) => (it.coverage ? percent(it.coverage.mean) : '–'),
  },
  {
    head: 'Critical',
    numeric: true,
    by: (it) => it.coverage?.critical ?? null,
    cell: (it) => <Mark bad={(it.coverage?.critical ?? 0) > 0}>{whole(it.coverage?.critical ?? 0)}</Mark>,
  },
  {
    head: 'Probes',
    numeric: true,
    by: (it) => (it.probes && it.probes.probes > 0 ? it.probes.passed / it.probes.probes : null),
    cell: (it) => (it.probes ? `${it.probes.passed}/${it.probes.probes}` : '–'),
  },
  {
    head: 'Miss rate',
    numeric: true,
    by: (it) => it.audit?.miss_rate ?? null,
    cell: (it) => (it.audit ? <Mark bad={it.audit.alert}>{percent(it.audit.miss_rate, 1)}</Mark> : '–'),
  },
  {
    head: 'Changed',
    numeric: true,
    by: (it) => (it.changed ? it.changed.added + it.changed.changed + it.changed.removed : null),
    cell: (it) =>
      it.changed ? (
        <a href={agentHref(it.name, 'changes')}>
          {it.changed.added + it.changed.changed + it.changed.removed}
          <span class="hidden"> changes of {it.name}</span>
        </a>
      ) : (
        '–'
      ),
  },
];

function Agents({ agents }: { readonly agents: readonly AgentSummary[] }) {
  const [wanted, setWanted] = useState('');
  const filter = wanted.trim().toLowerCase();
  const found = agents.filter((it) => `${it.name} ${it.role}`.toLowerCase().includes(filter));
  return (
    <section aria-label="Agents">
      <h2>Agents</h2>
      {agents.length > 8 && (
        <p class="filter">
          <label for="wanted">Show agents with</label>{' '}
          <input
            id="wanted"
            type="search"
            value={wanted}
            onInput={({ currentTarget }) => {
              setWanted(currentTarget.value);
            }}
          />{' '}
          <span role="status">{filter === '' ? '' : `${found.length} of ${agents.length}`}</span>
        </p>
      )}
      <Table caption="Agents, tokens and coverage" columns={COLUMNS} rows={found} keyOf={nameOf} />
    </section>
  );
}

const BUDGET_COLUMNS = COLUMNS.filter(({ head }) => ['Agent', 'Stub', 'Manifest'].includes(head));

/** Up to this many agents have their own bars; more are dots on a line. */
const BARS = 24;

function drawBudgets({ agents, limits }: Report, width: number): PlotOptions {
  const shares = agents.flatMap(({ name, tokens }) => [
    { name, kind: 'Stub', share: tokens.stub / limits.stub },
    { name, kind: 'Manifest', share: tokens.manifest / limits.manifest },
  ]);
  const x = { domain: [0, Math.max(1, ...shares.map((it) => it.share)) * 1.04], label: null };
  const marks = [axisX({ tickFormat: (it: number) => percent(it), ticks: 5 }), ruleX([1], { stroke: 'var(--bad)' })];
  const fill = ({ kind }: { kind: string }) => (kind === 'Stub' ? 'var(--accent)' : 'var(--quiet-bar)');
  if (agents.length > BARS) {
    const strip = dot(shares, { x: 'share', y: 'kind', r: 4, fill, fillOpacity: 0.5, title: 'name' });
    return { width, height: 130, marginLeft: 70, x, y: { label: null }, marks: [...marks, strip] };
  }
  const bars = barX(shares, { x: 'share', y: 'kind', fy: 'name', fill, insetTop: 1 });
  const height = 40 + agents.length * 44;
  const longest = Math.max(8, ...agents.map((it) => it.name.length));
  return {
    width,
    height,
    marginLeft: 70,
    marginRight: Math.min(longest * 7 + 16, width * 0.35),
    x,
    y: { label: null },
    fy: { label: null },
    marks: [...marks, bars],
  };
}
