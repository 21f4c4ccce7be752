import { counted, uncounted } from '../../../quality/copied-probes.ts';
import { passes, requiredFound, unprobed } from '../../../quality/probes.ts';
import type { ProbeResult, ProbeSummary } from '../../../schema/source/probe.ts';
import type { AgentProps } from '../parts/agent-props.ts';
import { Figure } from '../parts/figure.tsx';
import { Chip } from '../parts/mark.tsx';
import { Failing, Moved, rankOf, Uncounted, Unprobed } from '../parts/probe-lists.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { percent, shown } from '../parts/wording.ts';

/** The curated probes: the units that each must find, and their ranks. Those that fail come first. */
export function Probes({ agent: { probes, units, summary: agent } }: AgentProps) {
  if (probes === null) return <p>There are no curated probes for this agent.</p>;
  const { summary, results } = probes;
  const { k } = summary;
  const failing = counted(results).filter((it) => !passes(it, k));
  const own = units.filter(({ shared }) => !shared).map(({ name }) => name);
  return (
    <>
      <ProbeFigures summary={summary} placed={requiredFound(results, k)} />
      <Unprobed agent={agent.name} units={unprobed(own, results)} />
      {failing.length > 0 && <Failing agent={agent.name} k={k} failing={failing} />}
      <Moved name="Lost" kind="bad" intents={probes.lost} />
      <Moved name="Won" kind="good" intents={probes.won} />
      <Uncounted probes={uncounted(results)} />
      <h2>Every probe</h2>
      <Table caption="Probes" quiet columns={columnsOf(k)} rows={results} keyOf={(it) => it.intent} />
    </>
  );
}

interface ProbeFiguresProps {
  readonly summary: ProbeSummary;
  readonly placed: ReturnType<typeof requiredFound>;
}

function ProbeFigures({ summary, placed }: ProbeFiguresProps) {
  const { k, passed, probes } = summary;
  return (
    <dl class="figures">
      <Figure
        name="Probes passed"
        term="probes_passed"
        value={`${passed} of ${probes}`}
        bad={() => passed < probes}
        {...(summary.uncounted > 0 && { note: `${summary.uncounted} more do not count` })}
      />
      <Figure
        name="Required units found"
        term="found"
        value={`${placed.found} of ${placed.required}`}
        note={`among the first ${k}`}
      />
      <Figure name={`Probe-coverage@${k}`} term="probe_coverage" value={percent(summary.coverage_at_k, 1)} />
      <Figure name={`Probe-hit@${k}`} term="probe_hit" value={percent(summary.hit_at_k, 1)} />
      <Figure name="Probe-hit@10" term="probe_hit" value={percent(summary.hit_at_10, 1)} />
      {summary.hit_at_3 !== null && (
        <Figure name="Probe-hit@3" term="probe_hit" value={percent(summary.hit_at_3, 1)} note="a small garden" />
      )}
    </dl>
  );
}

function Verdict({ probe, k }: { readonly probe: ProbeResult; readonly k: number }) {
  if (probe.copied_by) return <>does not count</>;
  return passes(probe, k) ? <Chip kind="good">passes</Chip> : <Chip kind="bad">fails</Chip>;
}

function columnsOf(k: number): readonly Column<ProbeResult>[] {
  const places = (units: ProbeResult['required']) => units.map((it) => `${it.name} ${rankOf(it)}`);
  return [
    {
      head: 'Intent',
      term: 'intent',
      heading: true,
      prose: true,
      by: (it) => it.intent,
      cell: (it) => shown(it.intent),
    },
    { head: 'Must find', cell: (it) => places(it.required).join(', ') },
    { head: 'Must not find', cell: (it) => places(it.forbidden).join(', ') || '–' },
    {
      head: 'Result',
      by: (it) => (it.copied_by ? 2 : passes(it, k) ? 1 : 0),
      cell: (it) => <Verdict probe={it} k={k} />,
    },
  ];
}
