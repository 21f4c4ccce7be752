import type { AgentReport } from '../../../schema/report/agent-report.ts';
import type { Report } from '../../../schema/report/report.ts';
import type { UnitVersion } from '../../../schema/report/unit-report.ts';

/** The versions that a report tells of a unit, newest first. */
export function versionsIn(
  agent: AgentReport,
  report: Report,
  name: string,
): { versions: readonly UnitVersion[]; more_versions: number } {
  const own = agent.units.find((it) => it.name === name && !it.shared);
  const told = own ?? agent.gone.find((it) => it.name === name);
  return told ?? report.shared.find((it) => it.name === name) ?? { versions: [], more_versions: 0 };
}
