import type { AgentReport } from '../../../schema/report/agent-report.ts';
import type { Report } from '../../../schema/report/report.ts';
import type { Source } from './source.ts';

/** The report in this file; null if a server sent the page. Agents are parsed when they are first opened. */
export function embeddedSource(): Source | null {
  const text = blockOf('report');
  if (text === null) return null;
  const parsed = new Map<string, AgentReport>();
  const agentOf = (name: string): AgentReport => {
    const known = parsed.get(name);
    if (known) return known;
    const block = blockOf(`agent:${name}`);
    if (block === null) throw new Error(`This report has no agent ${name}.`);
    const report = JSON.parse(block) as AgentReport;
    parsed.set(name, report);
    return report;
  };
  return {
    report: JSON.parse(text) as Report,
    agent: (name) => Promise.resolve().then(() => agentOf(name)),
    server: null,
  };
}

/** The text of a data block in this file; null if absent. */
function blockOf(id: string): string | null {
  return document.getElementById(id)?.textContent ?? null;
}
