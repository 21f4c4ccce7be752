import type { UnitReport } from '../../../schema/report/unit-report.ts';
import type { AgentProps } from '../parts/agent-props.ts';
import { Figure } from '../parts/figure.tsx';
import { Chip, Mark } from '../parts/mark.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { Term } from '../parts/term.tsx';
import { unitColumn } from '../parts/unit-column.tsx';
import { count, percent, whole } from '../parts/wording.ts';

/** The units of an agent, and their costs in tokens. */
export function Units({ agent, report }: AgentProps) {
  const { summary, units, manifest } = agent;
  const { limits } = report;
  return (
    <>
      <dl class="figures">
        <Figure name="Boot stub" term="stub" value={whole(summary.tokens.stub)} note={`of ${limits.stub} tokens`} />
        <Figure
          name="Manifest"
          term="manifest"
          value={whole(summary.tokens.manifest)}
          note={`of ${whole(limits.manifest)} tokens`}
        />
        <Figure
          name="All units"
          term="eager"
          value={whole(summary.tokens.units)}
          note={`tokens of ${count(summary.units, 'unit')}`}
        />
        <Figure name="Largest unit" term="unit" value={whole(summary.tokens.largest_unit)} note="tokens" />
        <Figure name="Guaranteed" term="guaranteed" value={whole(summary.guaranteed)} note="at most 5" />
      </dl>
      {manifest && manifest.unlisted > 0 && (
        <p>
          The manifest lists {count(manifest.listed, 'unit')}; {count(manifest.unlisted, 'more unit')} can be recalled.
        </p>
      )}
      <Table caption="Units" quiet columns={columnsOf(summary.name)} rows={units} keyOf={(it) => it.name} />
    </>
  );
}

/** The marks of a unit. */
export function UnitChips({ unit }: { readonly unit: UnitReport }) {
  const { delivery, measure } = unit;
  return (
    <>
      {unit.shared && <Chip>shared</Chip>}
      {delivery.guarantee_load && (
        <Chip kind="good">
          <Term of="guaranteed">guaranteed</Term>
        </Chip>
      )}
      {delivery.force_position === 'prepend' && <Chip kind="warn">prepended</Chip>}
      {!unit.listed && (
        <Chip>
          <Term of="unlisted">unlisted</Term>
        </Chip>
      )}
      {unit.lifted && (
        <Chip kind="warn">
          <Term of="boost">boosted</Term>
        </Chip>
      )}
      {unit.valid_until !== null && <Chip>until {unit.valid_until.slice(0, 10)}</Chip>}
      {measure?.status === 'coverage_critical' && (
        <Chip kind="bad">
          <Term of="critical">critical</Term>
        </Chip>
      )}
      {measure?.status === 'not_evaluated' && (
        <Chip>{measure.judged_by === 'nothing' ? 'no trigger: nothing to judge' : 'not evaluated'}</Chip>
      )}
    </>
  );
}

/** Null for a unit that nothing was asked about. */
const coverageOf = ({ measure }: UnitReport) => (measure && measure.paraphrases > 0 ? measure.coverage_pct : null);

function columnsOf(agent: string): readonly Column<UnitReport>[] {
  return [
    unitColumn(agent, (it) => it.name),
    { head: 'Description', prose: true, cell: (it) => it.delivery.description },
    { head: 'Version', numeric: true, by: (it) => versionOf(it), cell: (it) => `v${versionOf(it)}` },
    {
      head: 'Tokens',
      term: 'token',
      numeric: true,
      by: (it) => it.tokens,
      cell: (it) => whole(it.tokens),
    },
    {
      head: 'Coverage',
      term: 'coverage',
      numeric: true,
      by: coverageOf,
      cell: (it) => percent(coverageOf(it)),
    },
    {
      head: 'Hit@10',
      term: 'unit_hit',
      numeric: true,
      by: (it) => it.measure?.hit_at_10 ?? null,
      cell: (it) => (
        <Mark bad={it.measure?.status === 'coverage_critical'}>{percent(it.measure?.hit_at_10 ?? null)}</Mark>
      ),
    },
    {
      head: 'Probes',
      term: 'probe',
      numeric: true,
      by: (it) => it.measure?.probe_count ?? 0,
      cell: (it) => whole(it.measure?.probe_count ?? 0),
    },
    { head: 'Marks', cell: (it) => <UnitChips unit={it} /> },
  ];
}

/** The number at the end of a unit's URI. */
function versionOf({ uri }: UnitReport): number {
  return Number(/\/v(\d+)$/.exec(uri)?.[1] ?? 0);
}
