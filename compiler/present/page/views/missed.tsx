import type { AuditFigures, MissedRecall } from '../../../schema/report/agent-report.ts';
import { Chip } from '../parts/mark.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { Term } from '../parts/term.tsx';
import { count, instant, shown } from '../parts/wording.ts';

/** Units that agents reported as missed. Names are untrusted, and may be of units that do not exist. */
export function Missed({ audit, shows }: { readonly audit: AuditFigures; readonly shows: boolean }) {
  const { metrics, missed, more_missed } = audit;
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
      {missed.length > 0 && (
        <Table
          caption="Answers that missed a unit, or in which nothing fitted, newest first"
          columns={shows ? [AT, INTENT, ...UNITS] : [AT, ...UNITS]}
          rows={missed}
          keyOf={(it) => `${it.at} ${it.loaded.join()} ${it.missed.join()}`}
        />
      )}
      {more_missed > 0 && <p>{count(more_missed, 'older answer')} are not listed here.</p>}
      {!shows && missed.length > 0 && <p>Intents of the audit are not in this report.</p>}
    </>
  );
}

const AT: Column<MissedRecall> = {
  head: 'At',
  heading: true,
  by: (it) => it.at,
  cell: (it) => <span class="when">{instant(it.at)}</span>,
};
const INTENT: Column<MissedRecall> = {
  head: 'Intent',
  term: 'intent',
  prose: true,
  cell: (it) => shown(it.intent) || '–',
};
const UNITS: readonly Column<MissedRecall>[] = [
  { head: 'Loaded', prose: true, cell: (it) => it.loaded.map(shown).join(', ') },
  {
    head: 'Missed',
    cell: (it) => (
      <>
        {it.missed.map(shown).join(', ')} {it.nothing_fits && <Chip kind="warn">nothing fitted</Chip>}
      </>
    ),
  },
];
