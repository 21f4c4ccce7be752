import type { AgentReport } from '../../../schema/report/agent-report.ts';
import type { Report } from '../../../schema/report/report.ts';

/** What a view of an agent is drawn from. */
export interface AgentProps {
  readonly agent: AgentReport;
  readonly report: Report;
}
