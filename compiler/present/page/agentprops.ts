import type { AgentReport } from '../../model/agentreport.ts';
import type { Report } from '../../model/report.ts';

/** What a view of an agent is drawn from. */
export interface AgentProps {
  readonly agent: AgentReport;
  readonly report: Report;
}
