import { criticalUnits } from '../../recall/rank/boost.ts';
import type { AgentMetrics } from '../../schema/api/metrics.ts';
import type { Coverage } from '../../schema/bundle/coverage.ts';
import type { UnitChange } from '../../schema/report/agent-report.ts';
import type { AgentSummary } from '../../schema/report/agent-summary.ts';
import type { ProbeReport } from '../../schema/source/probe.ts';
import { share } from '../metrics/share.ts';
import { requiredFound } from '../probes.ts';
import { factsOf, type AgentReading } from './garden-reading.ts';

/** The inputs of an agent's summary besides its garden. */
export interface SummaryInputs {
  /** Null without a bundle to compare with. */
  readonly changes: readonly UnitChange[] | null;
  /** Null without an audit. */
  readonly metrics: AgentMetrics | null;
}

/** The summary of an agent. */
export function summariseAgent(reading: AgentReading, { changes, metrics }: SummaryInputs): AgentSummary {
  const { own } = reading;
  const { predicate } = own;
  const facts = factsOf(reading);
  return {
    ...identityOf(reading),
    units: facts.length,
    guaranteed: facts.filter((it) => it.delivery.guarantee_load).length,
    held: predicate.held,
    recertify_by: predicate.recertify_by,
    tokens: {
      stub: Math.max(0, ...predicate.stubs.map((it) => it.token_count)),
      manifest: own.manifest?.token_count ?? 0,
      units: facts.reduce((all, it) => all + it.tokens, 0),
      largest_unit: Math.max(0, ...facts.map((it) => it.tokens)),
    },
    coverage: own.coverage && coverageOf(own.coverage, own.probes),
    probes: own.probes && probesOf(own.probes),
    changed: changes && countChanges(changes),
    audit: metrics && auditLine(metrics),
  };
}

function identityOf({
  own: {
    name,
    predicate: { agent },
  },
}: AgentReading) {
  return {
    name,
    agent_id: agent?.agent_id ?? '',
    role: agent?.role ?? '',
    migration_mode: agent?.migration_mode ?? 'stigmem',
    sensitive: agent?.sensitive ?? false,
  };
}

function coverageOf(coverage: Coverage, probes: ProbeReport | null): AgentSummary['coverage'] {
  const shares = coverage.units.filter((it) => it.judged_by !== 'nothing').map((it) => it.coverage_pct);
  const mean = share(
    shares.reduce((all, it) => all + it, 0),
    shares.length,
  );
  if (mean === null) return null;
  return { mean, critical: criticalUnits(coverage, probes).size };
}

function probesOf({ summary, results }: ProbeReport): AgentSummary['probes'] {
  const { k, probes, uncounted, passed } = summary;
  return { probes, uncounted, passed, ...requiredFound(results, k) };
}

function countChanges(changes: readonly UnitChange[]): NonNullable<AgentSummary['changed']> {
  const count = (kinds: readonly UnitChange['kind'][]) => changes.filter((it) => kinds.includes(it.kind)).length;
  return { added: count(['added']), changed: count(['changed', 'delivery']), removed: count(['removed']) };
}

/** The audit figures of an agent in the overview. */
export function auditLine({ rolling, alert }: AgentMetrics): AgentSummary['audit'] {
  return { miss_rate: rolling.miss_rate, alert };
}
