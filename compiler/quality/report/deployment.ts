import { LIMITATION, MISS_ALERT, MISS_ALERT_EVENTS, RELEVANT_LEAST } from '../../schema/api/metrics.ts';
import { STUB_TOKEN_BUDGET } from '../../schema/bundle/boot-stub.ts';
import type { RootPredicate } from '../../schema/bundle/bundle.ts';
import { COVERAGE_THRESHOLD } from '../../schema/bundle/coverage.ts';
import { MANIFEST_TOKEN_BUDGET } from '../../schema/bundle/manifest.ts';
import type { AgentSummary } from '../../schema/report/agent-summary.ts';
import { CRITICAL_HIT } from '../../schema/report/coverage-report.ts';
import type { AuditSpan, Report } from '../../schema/report/report.ts';
import type { ModelPin } from '../../schema/source/org.ts';
import type { GardenReading } from './garden-reading.ts';
import { versionsOf } from './units.ts';

/** The fields by which a report names a bundle. */
type NamedBundle = Pick<
  RootPredicate,
  'deployment' | 'serial' | 'commit' | 'committed_at' | 'compiler' | 'unversioned'
>;

export interface Deployment {
  readonly bundle: NamedBundle;
  readonly model: ModelPin | null;
  readonly previous: NamedBundle | null;
  readonly audit: AuditSpan | null;
  readonly agents: readonly AgentSummary[];
  /** Agents whose garden does not verify. */
  readonly unread: readonly string[];
  readonly shared: GardenReading;
  /** ISO 8601. */
  readonly now: string;
}

const LIMITS: Report['limits'] = {
  stub: STUB_TOKEN_BUDGET,
  manifest: MANIFEST_TOKEN_BUDGET,
  coverage: COVERAGE_THRESHOLD,
  critical_hit: CRITICAL_HIT,
  miss_rate: MISS_ALERT,
  miss_events: MISS_ALERT_EVENTS,
  relevant: RELEVANT_LEAST,
};

/** The report of a deployment. */
export function reportDeployment(it: Deployment): Report {
  const { bundle, model, previous, audit, agents, unread, shared, now } = it;
  const { deployment, compiler } = bundle;
  return {
    format: 1,
    generated_at: now,
    deployment,
    compiler,
    bundle: nameOf(bundle),
    model: model && { name: model.name, dims: model.dims },
    previous: previous && nameOf(previous),
    audit,
    limits: LIMITS,
    agents: [...agents].sort((a, b) => (a.name < b.name ? -1 : 1)),
    unread: [...unread].sort(),
    shared: shared.facts.map(({ name }) => ({ name, ...versionsOf(shared, name) })),
    limitation: LIMITATION,
  };
}

function nameOf({ serial, commit, committed_at, unversioned }: NamedBundle): Report['bundle'] {
  return { serial, commit, committed_at, ...(unversioned && { unversioned }) };
}
