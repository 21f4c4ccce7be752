import type { AuditPageEntry } from '../../../schema/audit/page.ts';
import { Chip } from '../parts/mark.tsx';
import type { Column } from '../parts/table.tsx';
import { instant, short, shown } from '../parts/wording.ts';

/**
 * The columns of a list of recalls. Names of used and missed units come from agents: they are untrusted, and may be of
 * units that do not exist.
 */
export function recallColumns(known: ReadonlySet<string>, showsIntents: boolean): readonly Column<AuditPageEntry>[] {
  return [
    { head: 'At', heading: true, cell: (it) => <span class="when">{instant(it.created_at)}</span> },
    ...(showsIntents ? [{ head: 'Intent', prose: true as const, term: 'intent' as const, cell: intentOf }] : []),
    { head: 'Got', prose: true, cell: (it) => <Got entry={it} /> },
    { head: 'Missed', term: 'missed', cell: (it) => <Missed entry={it} known={known} /> },
    { head: 'Closed', term: 'closed', cell: closed },
  ];
}

/** The returned units, and those of them that were used: by a mark and in words. */
function Got({ entry }: { readonly entry: AuditPageEntry }) {
  const { loaded_chunks, used_chunks, aborted, kind, follows } = entry;
  const loaded = loaded_chunks.map(({ name }) => name);
  const besides = once(used_chunks).filter((name) => !loaded.includes(name));
  return (
    <>
      {kind === 'heartbeat' && <Chip>heartbeat</Chip>}
      {follows !== null && <Chip>chosen from candidates</Chip>}
      {aborted && <Chip kind="bad">ended in an error</Chip>}
      {loaded.map((name) => (
        <Chip key={name} kind={used_chunks.includes(name) ? 'good' : ''}>
          {shown(name)}
          {used_chunks.includes(name) && ' ✓ used'}
        </Chip>
      ))}
      {besides.map((name) => (
        <Chip key={name} kind="warn">
          {shown(name)}: used, not loaded here
        </Chip>
      ))}
    </>
  );
}

/** The units that the agent missed, and why recall did not return them. */
function Missed({ entry, known }: { readonly entry: AuditPageEntry; readonly known: ReadonlySet<string> }) {
  const { missed_chunks, nothing_fits, left_out } = entry;
  if (missed_chunks.length === 0 && !nothing_fits) return <>–</>;
  const whyNot = (name: string) => {
    if (left_out.some((it) => it.name === name)) return ': ranked too low';
    return known.has(name) ? '' : ': no such unit';
  };
  return (
    <>
      {nothing_fits && <Chip kind="bad">nothing fitted</Chip>}
      {once(missed_chunks).map((name) => (
        <Chip key={name} kind="bad">
          {shown(name)}
          {whyNot(name)}
        </Chip>
      ))}
    </>
  );
}

/** Its text, or its digest: an intent can be erased, or was never kept, and a heartbeat has none. */
function intentOf({ intent, files, intent_digest: digest }: AuditPageEntry) {
  if (intent !== '' && files.length === 0) return shown(intent);
  if (intent !== '') return `${shown(intent)} (${files.map(shown).join(', ')})`;
  if (digest === null) return '–';
  return (
    <>
      not kept, <code>{short(digest)}</code>
    </>
  );
}

function closed({ audit_closed: at, used_chunks, missed_chunks, nothing_fits }: AuditPageEntry) {
  if (at === null) return 'open';
  return used_chunks.length + missed_chunks.length === 0 && !nothing_fits ? 'without a report' : 'yes';
}

/** An agent may name a unit twice. */
function once(names: readonly string[]): string[] {
  return [...new Set(names)];
}
