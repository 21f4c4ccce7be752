import type { AgentReport } from '../../../schema/report/agent-report.ts';
import type { Report } from '../../../schema/report/report.ts';
import { blockOf } from './blocks.ts';
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
  const report = JSON.parse(text) as Report;
  return {
    kind: 'file',
    recalls: null,
    report,
    agent: (name) => Promise.resolve().then(() => agentOf(name)),
    playground: async (name) => {
      const { openPlayground } = await import('./open-playground.ts');
      return openPlayground(name, agentOf(name), report);
    },
  };
}
