import type { TriedRecall } from '../../../schema/api/tried-recall.ts';
import type { AuditPageEntry } from '../../../schema/audit/page.ts';
import type { AgentReport } from '../../../schema/report/agent-report.ts';
import type { Report } from '../../../schema/report/report.ts';

/** A request of the playground. */
export interface Question {
  readonly intent: string;
  readonly max_chunks: number;
  readonly token_budget: number;
  readonly files: readonly string[];
}

/** Questions that a server answers and a report file cannot. */
export interface Server {
  /** The recall of an intent, and why; nothing is written to the audit. */
  readonly ask: (agent: string, question: Question) => Promise<TriedRecall>;
  /** The newest recalls with a `seq` below `before`. */
  readonly recalls: (agent: string, before: number | null) => Promise<readonly AuditPageEntry[]>;
}

/** The source of the page's data: its own file, or the server that sent it. */
export interface Source {
  readonly report: Report;
  readonly agent: (name: string) => Promise<AgentReport>;
  /** Null for a report file. */
  readonly server: Server | null;
}
