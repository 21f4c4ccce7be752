import { useEffect, useRef, useState } from 'preact/hooks';
import type { AuditPageEntry } from '../../../schema/audit/page.ts';
import { PAGE } from '../data/live.ts';
import type { Server } from '../data/source.ts';
import type { AgentProps } from '../parts/agent-props.ts';
import { Table } from '../parts/table.tsx';
import { recallColumns } from './recall-columns.tsx';

/** Recalls of an agent, with the units that it got, used and missed: the newest first, page by page. */
export function Recalls({ agent: { summary, units }, server }: AgentProps & { readonly server: Server }) {
  const known = new Set(units.map((it) => it.name));
  const read = (before: number | null) => server.recalls(summary.name, before);
  return <List read={read} columns={(shows) => recallColumns(known, shows)} />;
}

interface ListProps {
  readonly read: (before: number | null) => Promise<readonly AuditPageEntry[]>;
  readonly columns: (showsIntents: boolean) => ReturnType<typeof recallColumns>;
}

function List({ read, columns }: ListProps) {
  const { entries, isWhole, message, more } = usePages(read);
  const [shows, setShows] = useState(false);
  if (entries.length === 0) return <p role="status">{isWhole ? 'The audit has no recall of this agent.' : message}</p>;
  return (
    <>
      <p>
        <label>
          <input
            type="checkbox"
            checked={shows}
            onChange={({ currentTarget }) => {
              setShows(currentTarget.checked);
            }}
          />{' '}
          Show what the agent asked (it may name people)
        </label>
      </p>
      <Table
        caption="Recalls and heartbeats, newest first"
        columns={columns(shows)}
        rows={entries}
        keyOf={(it) => it.id}
      />
      {!isWhole && (
        <button type="button" class="more" onClick={more}>
          Show {PAGE} older ones
        </button>
      )}
      <p role="status">{message}</p>
    </>
  );
}

/** Reads a page, and the next one at each call of `more`. */
function usePages(read: ListProps['read']) {
  const [entries, setEntries] = useState<readonly AuditPageEntry[]>([]);
  const [isWhole, setWhole] = useState(false);
  const [message, setMessage] = useState('Reading …');
  const isReading = useRef(false);
  const more = () => {
    if (isReading.current) return;
    isReading.current = true;
    setMessage('Reading …');
    read(entries.at(-1)?.seq ?? null)
      .then(
        (page) => {
          setEntries((already) => [...already, ...page]);
          setWhole(page.length < PAGE);
          setMessage('');
        },
        (error: unknown) => {
          setMessage(error instanceof Error ? error.message : 'The audit cannot be read.');
        },
      )
      .finally(() => {
        isReading.current = false;
      });
  };
  useEffect(more, []);
  return { entries, isWhole, message, more };
}
