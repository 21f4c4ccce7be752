import type { AuditFigures, MissedRecall } from '../../../schema/report/agent-report.ts';
import { Chip } from '../parts/mark.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { count, instant, shown } from '../parts/wording.ts';

/** What agents said they missed; names are theirs, and may be of nothing that exists. */
export function Missed({ audit, shows }: { readonly audit: AuditFigures; readonly shows: boolean }) {
  const { metrics, missed, more_missed } = audit;
  return (
    <>
      <h2>What was missed</h2>
      {metrics.missed.length === 0 && <p>Nothing was reported missing.</p>}
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
          caption="Answers that missed something, newest first"
          columns={shows ? [AT, INTENT, ...UNITS] : [AT, ...UNITS]}
          rows={missed}
          keyOf={(it) => `${it.at} ${it.loaded.join()} ${it.missed.join()}`}
        />
      )}
      {more_missed > 0 && <p>{count(more_missed, 'older one')} are not told.</p>}
      {!shows && missed.length > 0 && <p>Intents of the audit are not in this report.</p>}
    </>
  );
}

const AT: Column<MissedRecall> = { head: 'At', heading: true, by: (it) => it.at, cell: (it) => instant(it.at) };
const INTENT: Column<MissedRecall> = { head: 'Intent', cell: (it) => shown(it.intent) || '–' };
const UNITS: readonly Column<MissedRecall>[] = [
  { head: 'Loaded', cell: (it) => it.loaded.map(shown).join(', ') },
  { head: 'Missed', cell: (it) => it.missed.map(shown).join(', ') },
];
