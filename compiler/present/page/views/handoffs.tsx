import { useEffect, useState } from 'preact/hooks';
import type { AgentHandoffs, HandoffLine } from '../../../continuity/schema/agent-handoffs.ts';
import type { Source } from '../data/source.ts';
import type { AgentProps } from '../parts/agent-props.ts';
import { Chip } from '../parts/mark.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { instant, shown } from '../parts/wording.ts';

/** Handoffs from an agent and to it. */
export function Handoffs({ agent: { summary }, source }: AgentProps & { readonly source: Source }) {
  const { handoffs } = source;
  if (handoffs === null)
    return (
      <p>
        A report file contains no handoffs: they belong to agents. The page of a server (<code>/ui</code>) shows them.
      </p>
    );
  return <Handed read={() => handoffs(summary.name)} />;
}

function Handed({ read }: { readonly read: () => Promise<AgentHandoffs> }) {
  const [answer, setAnswer] = useState<AgentHandoffs | null>(null);
  const [message, setMessage] = useState('Reading …');
  useEffect(() => {
    read().then(setAnswer, (error: unknown) => {
      setMessage(error instanceof Error ? error.message : 'The handoffs cannot be read.');
    });
  }, []);
  if (answer === null) return <p role="status">{message}</p>;
  if (!answer.is_kept)
    return (
      <p role="status">
        This server keeps no handoffs: start it with <code>--continuity</code>.
      </p>
    );
  if (answer.handoffs.length === 0) return <p role="status">This agent has neither sent nor received a handoff.</p>;
  const more = answer.total > answer.handoffs.length ? ` of ${answer.total}` : '';
  return (
    <Table
      caption={`${answer.handoffs.length}${more} handoffs, the newest change first; all texts are those of agents`}
      columns={COLUMNS}
      rows={answer.handoffs}
      keyOf={(it) => it.handoff_id}
    />
  );
}

const STATUS: Readonly<Record<string, '' | 'warn' | 'bad'>> = { pending: 'warn', deferred: 'warn', rejected: 'bad' };

const COLUMNS: readonly Column<HandoffLine>[] = [
  {
    head: 'Subject',
    heading: true,
    by: (it) => `${it.subject_kind} ${it.subject_id}`,
    cell: (it) => `${it.subject_kind} ${shown(it.subject_id)}`,
  },
  {
    head: 'Between',
    by: (it) => `${it.direction} ${it.peer}`,
    cell: (it) => `${it.direction === 'sent' ? 'to' : 'from'} ${shown(it.peer)}`,
  },
  { head: 'Status', by: (it) => it.status, cell: (it) => <Chip kind={STATUS[it.status] ?? ''}>{it.status}</Chip> },
  { head: 'Note', prose: true, cell: (it) => (it.note === null ? '–' : shown(it.note)) },
  { head: 'Constraints', prose: true, cell: (it) => <Texts of={it.constraints} /> },
  { head: 'Drift signals', prose: true, cell: (it) => <Texts of={it.drift_signals} /> },
  { head: 'Answer', prose: true, cell: (it) => (it.answer === null ? '–' : shown(it.answer)) },
  { head: 'Changed', by: (it) => it.updated_at, cell: (it) => <span class="when">{instant(it.updated_at)}</span> },
];

function Texts({ of }: { readonly of: readonly string[] }) {
  if (of.length === 0) return <>–</>;
  return (
    <ul>
      {of.map((text) => (
        <li key={text}>{shown(text)}</li>
      ))}
    </ul>
  );
}
