import { useState } from 'preact/hooks';
import type { AgentSummary } from '../../../schema/report/agent-summary.ts';
import type { Report } from '../../../schema/report/report.ts';
import { InCommit } from '../parts/commit.tsx';
import { Figure } from '../parts/figure.tsx';
import { Mark } from '../parts/mark.tsx';
import { agentHref } from '../parts/route.ts';
import { Table, type Column } from '../parts/table.tsx';
import { Term } from '../parts/term.tsx';
import { count, instant, percent, whole } from '../parts/wording.ts';

/** The overview of a deployment. */
export function Overview({ report }: { readonly report: Report }) {
  return (
    <>
      <h1>{report.deployment}</h1>
      <BundlePanel report={report} />
      {report.unread.length > 0 && (
        <p class="notice">
          <Term of="garden">Gardens</Term> that do not verify, and are not in this report: {report.unread.join(', ')}.
        </p>
      )}
      <Figures report={report} />
      <Agents agents={report.agents} />
    </>
  );
}

const nameOf = ({ name }: AgentSummary) => name;

function BundlePanel({ report: { bundle, previous, model, audit, compiler } }: { readonly report: Report }) {
  return (
    <p class="lede">
      <Term of="bundle">Bundle</Term> <strong>{bundle.serial}</strong> of {instant(bundle.committed_at)} UTC,{' '}
      <InCommit id={bundle.commit} />, compiler {compiler},{' '}
      {model ? `model ${model.name} (${model.dims} dimensions)` : 'no model: only words and links rank'}.{' '}
      {previous ? `Compared with bundle ${previous.serial}.` : 'Compared with no earlier bundle.'}{' '}
      {audit
        ? `The audit was read from ${instant(audit.since)} to ${instant(audit.until)}: ${count(audit.answers, 'row')}${audit.complete ? '' : ', and not completely'}.`
        : 'No audit was given: there are no figures of service.'}{' '}
      <Term of="audit" />
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
      <Figure name="Coverage, mean" term="coverage" value={percent(mean)} />
      <Figure
        name="Critical units"
        term="critical"
        value={whole(sum((it) => it.coverage?.critical ?? 0))}
        bad={(n) => n !== '0'}
      />
      <Figure
        name="Probes passed"
        term="probes_passed"
        value={`${whole(sum((it) => it.probes?.passed ?? 0))} of ${whole(sum((it) => it.probes?.probes ?? 0))}`}
        note={<ProbesNote agents={agents} uncounted={sum((it) => it.probes?.uncounted ?? 0)} />}
      />
      <Figure
        name="Required units found"
        term="found"
        value={`${whole(sum((it) => it.probes?.found ?? 0))} of ${whole(sum((it) => it.probes?.required ?? 0))}`}
        note={`by probes of ${count(probed.length, 'agent')}`}
      />
      <Figure name="Quarantined" term="quarantine" value={whole(sum((it) => it.held))} bad={(n) => n !== '0'} />
      {audit && <Figure name="Miss alerts" term="miss_alert" value={whole(alerts)} bad={(n) => n !== '0'} />}
    </dl>
  );
}

interface ProbesNoteProps {
  readonly agents: readonly AgentSummary[];
  readonly uncounted: number;
}

function ProbesNote({ agents, uncounted }: ProbesNoteProps) {
  return (
    <>
      <FailingLinks agents={agents} />
      {uncounted > 0 && `; ${whole(uncounted)} more do not count`}
    </>
  );
}

const failingOf = ({ probes }: AgentSummary) => (probes ? probes.probes - probes.passed : 0);

/** Maximum number of agents with failing probes that are named; the table has all. */
const MOST_NAMED = 4;

/** The failing probes, one click away. */
function FailingLinks({ agents }: { readonly agents: readonly AgentSummary[] }) {
  const failing = agents.filter((it) => failingOf(it) > 0).sort((a, b) => failingOf(b) - failingOf(a));
  if (failing.length === 0) return <>none fails</>;
  const more = failing.length - MOST_NAMED;
  return (
    <>
      failing:{' '}
      {failing.slice(0, MOST_NAMED).map((it, at) => (
        <span key={it.name}>
          {at > 0 && ', '}
          <a href={agentHref(it.name, 'probes')}>
            {failingOf(it)} of {it.name}
          </a>
        </span>
      ))}
      {more > 0 && `, and of ${count(more, 'more agent')}`}
    </>
  );
}

function ProbesCell({ agent }: { readonly agent: AgentSummary }) {
  if (!agent.probes) return <>–</>;
  const { passed, probes, uncounted } = agent.probes;
  return (
    <a href={agentHref(agent.name, 'probes')}>
      <Mark bad={passed < probes}>
        {passed}/{probes}
      </Mark>
      <span class="hidden"> probes of {agent.name} pass</span>
      {uncounted > 0 && (
        <>
          {' '}
          +{uncounted}
          <span class="hidden"> that do not count</span>
        </>
      )}
    </a>
  );
}

const COLUMNS: readonly Column<AgentSummary>[] = [
  { head: 'Agent', heading: true, by: nameOf, cell: (it) => <a href={agentHref(it.name)}>{it.name}</a> },
  { head: 'Role', by: (it) => it.role, cell: (it) => it.role },
  { head: 'Units', term: 'unit', numeric: true, by: (it) => it.units, cell: (it) => whole(it.units) },
  { head: 'Stub', term: 'stub', numeric: true, by: (it) => it.tokens.stub, cell: (it) => whole(it.tokens.stub) },
  {
    head: 'Manifest',
    term: 'manifest',
    numeric: true,
    by: (it) => it.tokens.manifest,
    cell: (it) => whole(it.tokens.manifest),
  },
  {
    head: 'All units',
    term: 'eager',
    numeric: true,
    by: (it) => it.tokens.units,
    cell: (it) => whole(it.tokens.units),
  },
  {
    head: 'Coverage',
    term: 'coverage',
    numeric: true,
    by: (it) => it.coverage?.mean ?? null,
    cell: (it) => (it.coverage ? percent(it.coverage.mean) : '–'),
  },
  {
    head: 'Critical',
    term: 'critical',
    numeric: true,
    by: (it) => it.coverage?.critical ?? null,
    cell: (it) => <Mark bad={(it.coverage?.critical ?? 0) > 0}>{whole(it.coverage?.critical ?? 0)}</Mark>,
  },
  {
    head: 'Probes',
    term: 'probes_passed',
    numeric: true,
    by: (it) => (it.probes && it.probes.probes > 0 ? it.probes.passed / it.probes.probes : null),
    cell: (it) => <ProbesCell agent={it} />,
  },
  {
    head: 'Miss rate',
    term: 'miss_rate',
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
