import { useState } from 'preact/hooks';
import type { UnitVersion } from '../../../schema/report/unit-report.ts';
import { Commit } from '../parts/commit.tsx';
import { Diff } from '../parts/diff.tsx';
import { Chip } from '../parts/mark.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { count, instant, shown } from '../parts/wording.ts';

const COLUMNS: readonly Column<UnitVersion>[] = [
  { head: 'Version', heading: true, cell: (it) => `v${it.version}` },
  { head: 'Created', cell: (it) => <span class="when">{instant(it.created_at)}</span> },
  { head: 'Until', cell: (it) => (it.valid_until === null ? 'in force' : instant(it.valid_until)) },
  { head: 'Written by', cell: (it) => [it.authored_by, ...(it.coauthored_by ?? [])].map(shown).join(', ') },
  { head: 'Approved by', cell: (it) => (it.approved_by ?? []).join(', ') || '–' },
  { head: 'Commit', cell: (it) => <Commit id={it.commit} /> },
  {
    head: 'Marks',
    cell: (it) => (
      <>
        {it.verified ? <Chip kind="good">verified</Chip> : <Chip>unverified</Chip>}
        {it.withheld && <Chip kind="bad">{it.withheld}</Chip>}
      </>
    ),
  },
];

/** The versions of a unit, and a diff of any two of them. */
export function History({ versions, more }: { readonly versions: readonly UnitVersion[]; readonly more: number }) {
  const [newest, before] = versions;
  const [from, setFrom] = useState(before?.version ?? 0);
  const [to, setTo] = useState(newest?.version ?? 0);
  if (!newest) return null;
  const textOf = (version: number) => versions.find((it) => it.version === version)?.content ?? '';
  return (
    <>
      <h3>History</h3>
      <Table caption="Versions" quiet columns={COLUMNS} rows={versions} keyOf={(it) => it.uri} />
      {more > 0 && <p>{count(more, 'older version')} are not in this report.</p>}
      {before && (
        <>
          <p class="compare">
            <Choice id="from" name="From" versions={versions} value={from} onValue={setFrom} />{' '}
            <Choice id="to" name="to" versions={versions} value={to} onValue={setTo} />
          </p>
          <Diff before={textOf(from)} after={textOf(to)} />
        </>
      )}
    </>
  );
}

interface ChoiceProps {
  readonly id: string;
  readonly name: string;
  readonly versions: readonly UnitVersion[];
  readonly value: number;
  readonly onValue: (version: number) => void;
}

function Choice({ id, name, versions, value, onValue }: ChoiceProps) {
  return (
    <label for={id}>
      {name}{' '}
      <select
        id={id}
        value={value}
        onChange={({ currentTarget }) => {
          onValue(Number(currentTarget.value));
        }}
      >
        {versions.map((it) => (
          <option key={it.version} value={it.version}>
            v{it.version}
          </option>
        ))}
      </select>
    </label>
  );
}
