import type { AgentReport } from '../../../schema/report/agent-report.ts';
import type { Report } from '../../../schema/report/report.ts';
import type { UnitVersion } from '../../../schema/report/unit-report.ts';

/** The versions of a unit in a report, newest first. */
export function versionsIn(
  agent: AgentReport,
  report: Report,
  name: string,
): { versions: readonly UnitVersion[]; more_versions: number } {
  const own = agent.units.find((it) => it.name === name && !it.shared);
  const found = own ?? agent.gone.find((it) => it.name === name);
  return found ?? report.shared.find((it) => it.name === name) ?? { versions: [], more_versions: 0 };
}
