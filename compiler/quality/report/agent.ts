import type { AgentReport, AuditFigures } from '../../schema/report/agent-report.ts';
import type { ProbeReport } from '../../schema/source/probe.ts';
import { compareProbes } from '../probes.ts';
import { changesBetween } from './changes.ts';
import type { AgentReading } from './garden-reading.ts';
import { summariseAgent } from './summary.ts';
import { reportUnits, versionsOf } from './units.ts';

/** The inputs of an agent's report besides its garden. */
export interface AgentReportInputs {
  /** The same agent in the previous bundle; null if that bundle lacks it, undefined without a previous bundle. */
  readonly before: AgentReading | null | undefined;
  readonly audit: AuditFigures | null;
}

/** The report of one agent. */
export function reportAgent(reading: AgentReading, { before, audit }: AgentReportInputs): AgentReport {
  const { own } = reading;
  const { predicate, manifest } = own;
  const changes = before === undefined ? null : changesBetween(before, reading);
  return {
    format: 1,
    summary: summariseAgent(reading, { changes, metrics: audit?.metrics ?? null }),
    manifest: manifest && { listed: manifest.entries.length, unlisted: manifest.unlisted ?? 0 },
    units: reportUnits(reading),
    probes: own.probes && probesOf(own.probes, before?.own.probes ?? null),
    approvals: [...predicate.approvals],
    held: [...own.held, ...reading.shared.held],
    gone: (changes ?? [])
      .filter((it) => it.kind === 'removed' && !it.shared)
      .map(({ name }) => ({ name, ...versionsOf(own, name) })),
    changes,
    audit,
  };
}

function probesOf({ summary, results }: ProbeReport, before: ProbeReport | null): AgentReport['probes'] {
  return { summary, results, ...compareProbes(before?.results ?? [], results, summary.k) };
}
