import type { AgentSummary } from '../../../schema/report/agent-summary.ts';
import type { Report } from '../../../schema/report/report.ts';
import { Commit } from '../parts/commit.tsx';
import { agentHref } from '../parts/route.ts';
import { Table, type Column } from '../parts/table.tsx';
import { instant, whole } from '../parts/wording.ts';

const COLUMNS: readonly Column<AgentSummary>[] = [
  { head: 'Agent', heading: true, cell: (it) => <a href={agentHref(it.name, 'changes')}>{it.name}</a> },
  { head: 'Added', numeric: true, by: (it) => it.changed?.added ?? 0, cell: (it) => whole(it.changed?.added ?? 0) },
  {
    head: 'Changed',
    numeric: true,
    by: (it) => it.changed?.changed ?? 0,
    cell: (it) => whole(it.changed?.changed ?? 0),
  },
  {
    head: 'Removed',
    numeric: true,
    by: (it) => it.changed?.removed ?? 0,
    cell: (it) => whole(it.changed?.removed ?? 0),
  },
  { head: 'Last commit', cell: (it) => <Commit id={it.commit} /> },
  { head: 'At', by: (it) => it.committed_at, cell: (it) => instant(it.committed_at) },
];

/** The changes since the previous bundle. */
export function DeploymentChanges({ report: { bundle, previous, agents } }: { readonly report: Report }) {
  const changed = agents.filter(({ changed: it }) => it && it.added + it.changed + it.removed > 0);
  return (
    <>
      <h1>What changed</h1>
      {previous === null ? (
        <p>
          There is no earlier bundle to compare with. Give one with <code>vade report --previous</code>.
        </p>
      ) : (
        <>
          <p class="lede">
            From bundle {previous.serial} (<Commit id={previous.commit} />, {instant(previous.committed_at)} UTC) to{' '}
            {bundle.serial} (<Commit id={bundle.commit} />, {instant(bundle.committed_at)} UTC): units of{' '}
            {changed.length} of {agents.length} agents.
          </p>
          {changed.length > 0 && (
            <Table
              caption="Units added, changed and removed, by agent"
              columns={COLUMNS}
              rows={changed}
              keyOf={(it) => it.name}
            />
          )}
        </>
      )}
    </>
  );
}
