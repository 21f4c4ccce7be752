import { COVERAGE_K, FINDABILITY_LEAST } from '../../../schema/bundle/coverage.ts';
import type { Report } from '../../../schema/report/report.ts';
import type { UnitReport } from '../../../schema/report/unit-report.ts';
import type { AgentProps } from '../parts/agent-props.ts';
import { Mark } from '../parts/mark.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { Term } from '../parts/term.tsx';
import type { TermName } from '../parts/terms.ts';
import { unitColumn } from '../parts/unit-column.tsx';
import { percent, shown, whole } from '../parts/wording.ts';

/** How well each unit is found by paraphrases of its triggers, and by its probes. */
export function CoverageView({ agent, report }: AgentProps) {
  const { units } = agent;
  const measured = units.filter((it) => it.measure);
  if (measured.length === 0) return <p>No coverage was measured for this agent.</p>;
  const missed = units.flatMap(({ name, measure }) => (measure?.misses ?? []).map((miss) => ({ name, ...miss })));
  return (
    <>
      <p class="lede">
        Measured {measured[0]?.measure?.last_evaluated_at.slice(0, 10)} by ranks without <Term of="boost">boost</Term>.
        A unit must be among the first three for {percent(report.limits.coverage)} of its{' '}
        <Term of="paraphrase">paraphrases</Term>; below {percent(report.limits.critical_hit)} of hits among the first
        ten it is <Term of="critical">critical</Term>. Below {percent(FINDABILITY_LEAST)} of{' '}
        <Term of="findability">findability</Term> it needs a look.
      </p>
      <Table
        caption="Where units are found"
        columns={columnsOf(agent, report.limits)}
        rows={measured}
        keyOf={(it) => it.name}
      />
      <h2>Paraphrases that do not find their unit</h2>
      {missed.length === 0 ? (
        <p>Every paraphrase finds its unit.</p>
      ) : (
        <Table
          caption="Paraphrases that miss"
          quiet
          columns={MISSED}
          rows={missed}
          keyOf={(it) => `${it.name} ${it.paraphrase}`}
        />
      )}
    </>
  );
}

/** The share of paraphrases that find a unit; null where none could be made. */
const coverageOf = ({ measure }: UnitReport) => (measure && measure.paraphrases > 0 ? measure.coverage_pct : null);

function columnsOf(
  { summary, probes, units }: AgentProps['agent'],
  { coverage }: Report['limits'],
): Column<UnitReport>[] {
  const probed = new Map((probes?.summary.units ?? []).map((it) => [it.name, it.coverage_at_k]));
  return [
    unitColumn(summary.name, (it) => it.name),
    {
      head: 'Paraphrases',
      term: 'paraphrase',
      numeric: true,
      cell: (it) => `${it.measure?.found ?? 0}/${it.measure?.paraphrases ?? 0}`,
    },
    { head: 'Mechanical', term: 'verbatim', numeric: true, cell: (it) => whole(it.measure?.verbatim ?? 0) },
    shareColumn('Coverage', 'coverage', coverageOf, (share) => share < coverage),
    shareColumn('Findability', 'findability', (it) => it.measure?.findability?.score ?? null, isHard),
    ...(units.some((it) => hitAt3(it) !== null) ? [shareColumn('Hit@3', 'unit_hit', hitAt3)] : []),
    shareColumn('Hit@10', 'unit_hit', ({ measure }) => measure?.hit_at_10 ?? null, isCritical),
    shareColumn(`Probes@${probes?.summary.k ?? COVERAGE_K}`, 'probe_coverage', (it) => probed.get(it.name) ?? null),
    {
      head: 'Probes',
      term: 'probe',
      numeric: true,
      by: (it) => it.measure?.probe_count ?? 0,
      cell: (it) => whole(it.measure?.probe_count ?? 0),
    },
  ];
}

/** Null in a garden that is not small. */
const hitAt3 = ({ measure }: UnitReport) => measure?.hit_at_3 ?? null;

const isHard = (share: number) => share < FINDABILITY_LEAST;
const isCritical = (_: number, { measure }: UnitReport) => measure?.status === 'coverage_critical';

/** A column of shares; a bad one is marked. */
function shareColumn(
  head: string,
  term: TermName,
  of: (it: UnitReport) => number | null,
  isBad: (share: number, it: UnitReport) => boolean = () => false,
): Column<UnitReport> {
  const cell = (it: UnitReport) => {
    const share = of(it);
    return <Mark bad={share !== null && isBad(share, it)}>{percent(share)}</Mark>;
  };
  return { head, term, numeric: true, by: of, cell };
}

interface MissedParaphrase {
  readonly name: string;
  readonly intent: string;
  readonly paraphrase: string;
  readonly rank: number | null;
  readonly outranked_by: readonly string[];
}

const MISSED: readonly Column<MissedParaphrase>[] = [
  { head: 'Unit', heading: true, by: (it) => it.name, cell: (it) => it.name },
  { head: 'Trigger', term: 'trigger', prose: true, cell: (it) => shown(it.intent) },
  { head: 'Paraphrase', term: 'paraphrase', prose: true, cell: (it) => shown(it.paraphrase) },
  { head: 'Rank', numeric: true, by: (it) => it.rank, cell: (it) => it.rank ?? 'not ranked' },
  { head: 'Units instead', term: 'instead', prose: true, cell: (it) => it.outranked_by.join(', ') },
];
