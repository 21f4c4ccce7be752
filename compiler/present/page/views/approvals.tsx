import type { QuarantinedFact } from '../../../schema/bundle/quarantine.ts';
import type { UsedApproval } from '../../../schema/source/approval.ts';
import type { AgentProps } from '../parts/agent-props.ts';
import { Commit } from '../parts/commit.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { Term } from '../parts/term.tsx';
import { short, shown } from '../parts/wording.ts';

const KINDS: Record<UsedApproval['kind'], string> = {
  guarantee_load: 'always loaded',
  force_position: 'read before the task',
  task_types: 'preloaded for more than two wake reasons',
  grant: 'may be read by',
  skip_coverage_gate: 'the coverage gate was bypassed',
  phrase_capture: 'phrases that take another unit’s place',
  other_language: 'texts in another language',
  role: 'what the role may do',
  bypass: 'a gate of the role that an environment variable opens',
};

export const APPROVALS: readonly Column<UsedApproval>[] = [
  {
    head: 'What',
    heading: true,
    by: (it) => it.kind,
    cell: (it) => `${KINDS[it.kind]}${it.reader === undefined ? '' : ` ${it.reader}`}`,
  },
  { head: 'Unit', by: (it) => it.unit, cell: (it) => it.unit ?? 'the whole garden' },
  { head: 'Approved by', cell: (it) => it.by.join(', ') },
  { head: 'Note', prose: true, cell: (it) => (it.note === null ? '–' : shown(it.note)) },
  { head: 'Until', by: (it) => it.expires, cell: (it) => it.expires?.slice(0, 10) ?? 'it changes' },
];

const QUARANTINED: readonly Column<QuarantinedFact>[] = [
  { head: 'Unit', heading: true, cell: (it) => it.name },
  { head: 'Reason', cell: (it) => it.reason },
  { head: 'Rules', cell: (it) => it.rules.join(', ') || '–' },
  { head: 'File', cell: (it) => <code>{it.file}</code> },
  { head: 'Digest', cell: (it) => <code>{short(it.digest)}</code> },
];

/** Approvals, authors and quarantined units. */
export function Approvals({ agent: { approvals, held, units } }: AgentProps) {
  const written = units.flatMap(({ name, versions: [current] }) => (current ? [{ name, ...current }] : []));
  return (
    <>
      <h2>
        Approvals in use <Term of="approval" />
      </h2>
      {approvals.length === 0 ? (
        <p>Nothing in this garden needs an approval.</p>
      ) : (
        <Table
          caption="Approvals"
          quiet
          columns={APPROVALS}
          rows={approvals}
          keyOf={(it) => it.files.join() + it.kind + (it.unit ?? '')}
        />
      )}
      <h2>Authors of the units in force</h2>
      <Table caption="Authors" quiet columns={WRITTEN} rows={written} keyOf={(it) => it.name} />
      <h2>
        Quarantined <Term of="quarantine" />
      </h2>
      {held.length === 0 ? (
        <p>No unit is quarantined.</p>
      ) : (
        <Table caption="Quarantined units" quiet columns={QUARANTINED} rows={held} keyOf={(it) => it.uri} />
      )}
    </>
  );
}

type Authorship = { readonly name: string } & AgentProps['agent']['units'][number]['versions'][number];

const WRITTEN: readonly Column<Authorship>[] = [
  { head: 'Unit', heading: true, by: (it) => it.name, cell: (it) => it.name },
  { head: 'Version', numeric: true, by: (it) => it.version, cell: (it) => `v${it.version}` },
  {
    head: 'Written by',
    by: (it) => it.authored_by,
    cell: (it) => [it.authored_by, ...(it.coauthored_by ?? [])].map(shown).join(', '),
  },
  { head: 'Approved by', cell: (it) => (it.approved_by ?? []).join(', ') || '–' },
  { head: 'Verified', term: 'verified', by: (it) => (it.verified ? 1 : 0), cell: (it) => (it.verified ? 'yes' : 'no') },
  { head: 'Commit', cell: (it) => <Commit id={it.commit} /> },
];
