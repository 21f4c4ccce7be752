import type { OpenBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { filesOf, readReading, type ProvenFiles } from '../../compiler/io/bundle/read-garden.ts';
import { measuredOf } from '../../compiler/quality/metrics/measured-garden.ts';
import type { Measured } from '../../compiler/quality/metrics/metrics.ts';
import { changesBetween } from '../../compiler/quality/report/changes.ts';
import { factsOf, type AgentReading, type GardenReading } from '../../compiler/quality/report/garden-reading.ts';
import { summariseAgent } from '../../compiler/quality/report/summary.ts';
import type { UnitChange } from '../../compiler/schema/report/agent-report.ts';
import type { AgentSummary } from '../../compiler/schema/report/agent-summary.ts';
import { SHARED } from '../../compiler/schema/uri.ts';
import type { Gardens } from '../rollout/gardens.ts';
import type { FindPreviousBundle } from '../rollout/previous-bundle.ts';
import { yieldBetween } from '../rollout/yield-turns.ts';

/** The report on all agents of the served bundle, without the audit. */
export interface Survey {
  readonly summaries: readonly AgentSummary[];
  readonly measured: readonly Measured[];
  readonly shared: GardenReading;
  readonly previous: OpenBundle | null;
  /** Gardens that do not verify; no figure includes them. */
  readonly unread: readonly string[];
}

/** Reads one agent's garden. @throws recall_backend_unavailable from the bundle that answers for it */
export function readAgent(files: ProvenFiles, garden: string, withdrawn: ReadonlySet<string>): AgentReading {
  return { own: readReading(files, garden, withdrawn), shared: readReading(files, SHARED, withdrawn) };
}

/** The same agent in the previous bundle; null if it is new, undefined without a previous bundle that verifies. */
export function readBefore(
  previous: OpenBundle | null,
  garden: string,
  withdrawn: ReadonlySet<string>,
): AgentReading | null | undefined {
  if (previous === null) return undefined;
  const files = filesOf(previous);
  try {
    return files.envelope(garden) && readAgent(files, garden, withdrawn);
  } catch {
    return undefined;
  }
}

const surveys = new WeakMap<OpenBundle, { readonly withdrawn: number; readonly survey: Promise<Survey> }>();

/** Reads every garden, one per turn of the event loop; cached per bundle until something is withdrawn. */
export function surveyGardens(gardens: Gardens, previousBundle: FindPreviousBundle, now: number): Promise<Survey> {
  const known = surveys.get(gardens.bundle);
  if (known?.withdrawn === gardens.withdrawn.size) return known.survey;
  const survey = surveyAll(gardens, previousBundle, now);
  surveys.set(gardens.bundle, { withdrawn: gardens.withdrawn.size, survey });
  survey.catch(() => surveys.delete(gardens.bundle));
  return survey;
}

async function surveyAll(gardens: Gardens, previousBundle: FindPreviousBundle, now: number): Promise<Survey> {
  const { bundle, withdrawn } = gardens;
  const shared = readReading(gardens, SHARED, withdrawn);
  const previous = previousBundle(bundle);
  const summaries: AgentSummary[] = [];
  const measured: Measured[] = [];
  const unread: string[] = [];
  const agents = bundle.root.predicate.gardens.filter((it) => it.agent_id !== null);
  await yieldBetween(agents, ({ garden }) => {
    try {
      const reading = { own: readReading(gardens, garden, withdrawn), shared };
      const changes = changesOf(previous, reading, withdrawn);
      summaries.push(summariseAgent(reading, { changes, metrics: null }));
      measured.push(measuredBy(reading, now));
    } catch {
      // the back-off has logged it; the other agents are not affected
      unread.push(garden);
    }
  });
  return { summaries, measured, shared, previous, unread };
}

/** The baseline for an agent's figures. */
export function measuredBy(reading: AgentReading, now: number): Measured {
  const { predicate, coverage } = reading.own;
  const facts = factsOf(reading).filter((it) => it.withheld === undefined);
  return measuredOf({ predicate, facts, coverage }, now);
}

/** Reads nothing if neither garden changed. */
function changesOf(
  previous: OpenBundle | null,
  reading: AgentReading,
  withdrawn: ReadonlySet<string>,
): UnitChange[] | null {
  const digestOf = (garden: string) => previous?.root.predicate.gardens.find((it) => it.garden === garden)?.digest;
  const same = ({ name, digest }: GardenReading) => digestOf(name) === digest;
  if (same(reading.own) && same(reading.shared)) return [];
  const before = readBefore(previous, reading.own.name, withdrawn);
  return before === undefined ? null : changesBetween(before, reading);
}
