import type { AgentReport } from '../../../schema/report/agent-report.ts';
import type { Report } from '../../../schema/report/report.ts';

/** The properties of a view of an agent. */
export interface AgentProps {
  readonly agent: AgentReport;
  readonly report: Report;
}
