import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { AgentReport } from '../../../schema/report/agent-report.ts';
import type { Source } from '../data/source.ts';
import type { AgentProps } from '../parts/agent-props.ts';
import { Chip } from '../parts/mark.tsx';
import { AGENT_VIEWS, agentHref, SERVER_VIEWS, type AgentView, type Route } from '../parts/route.ts';
import { Term } from '../parts/term.tsx';
import { Approvals } from './approvals.tsx';
import { AuditView } from './audit.tsx';
import { Changes } from './changes.tsx';
import { CoverageView } from './coverage.tsx';
import { PlaygroundView } from './playground.tsx';
import { Probes } from './probes.tsx';
import { Recalls } from './recalls.tsx';
import { UnitPage } from './unit.tsx';
import { Units } from './units.tsx';

type AgentRoute = Extract<Route, { view: 'agent' }>;

/** One agent; its report is read when it is first opened. */
export function AgentPage({ source, route }: { readonly source: Source; readonly route: AgentRoute }) {
  const [agent, setAgent] = useState<AgentReport | null>(null);
  const [failed, setFailed] = useState('');
  useEffect(() => {
    source.agent(route.agent).then(setAgent, (error: unknown) => {
      setFailed(error instanceof Error ? error.message : 'It cannot be read.');
    });
  }, [source, route.agent]);
  if (agent === null) return <p role="status">{failed === '' ? 'Reading …' : failed}</p>;
  const { summary } = agent;
  return (
    <>
      <h1>
        {summary.name} <small>{summary.role}</small>
      </h1>
      <p class="chips">
        <Chip>
          <Term of="migration">{summary.migration_mode}</Term>
        </Chip>
        {summary.sensitive && <Chip kind="warn">sensitive</Chip>}
        {summary.recertify_by !== null && (
          <Chip kind="bad">
            <Term of="recertify">certify again</Term> by {summary.recertify_by.slice(0, 10)}
          </Chip>
        )}
        {summary.held > 0 && (
          <Chip kind="bad">
            {summary.held} <Term of="quarantine">quarantined</Term>
          </Chip>
        )}
      </p>
      <Tabs agent={summary.name} tab={route.tab} isLive={source.server !== null} />
      {viewOf(route, { agent, report: source.report }, source.server)}
    </>
  );
}

function viewOf({ tab, unit }: AgentRoute, props: AgentProps, server: Source['server']): ComponentChildren {
  if (unit !== null) return <UnitPage key={unit} {...props} name={unit} />;
  const views: Record<AgentView, () => ComponentChildren> = {
    units: () => <Units {...props} />,
    coverage: () => <CoverageView {...props} />,
    probes: () => <Probes {...props} />,
    recalls: () => (server ? <Recalls {...props} server={server} /> : <OnlyLive />),
    audit: () => <AuditView {...props} />,
    approvals: () => <Approvals {...props} />,
    changes: () => <Changes {...props} />,
    playground: () => (server ? <PlaygroundView {...props} server={server} /> : <OnlyLive />),
  };
  return views[tab]();
}

/** The answer to an address of a view that a report file does not have. */
function OnlyLive() {
  return (
    <p>
      A report file does not have this view. The page of a server has it: <code>/ui</code>.
    </p>
  );
}

interface TabsProps {
  readonly agent: string;
  readonly tab: AgentView;
  readonly isLive: boolean;
}

function Tabs({ agent, tab, isLive }: TabsProps) {
  const views = (Object.keys(AGENT_VIEWS) as AgentView[]).filter((view) => isLive || !SERVER_VIEWS.includes(view));
  return (
    <nav class="tabs" aria-label={`Views of ${agent}`}>
      {views.map((view) => (
        <a key={view} href={agentHref(agent, view)} aria-current={view === tab ? 'page' : undefined}>
          {AGENT_VIEWS[view]}
        </a>
      ))}
    </nav>
  );
}
