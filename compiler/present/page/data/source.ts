import type { Tried } from '../../../schema/api/tried-recall.ts';
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

/** Answers requests of the playground. */
export interface Playground {
  readonly ask: (question: Question) => Promise<Tried>;
  /** The difference of its answers from those of a server, as a sentence; null if there is none. */
  readonly lacks: string | null;
}

/** The source of the page's data: its own file, or the server that sent it. */
export interface Source {
  readonly kind: 'file' | 'server';
  readonly report: Report;
  readonly agent: (name: string) => Promise<AgentReport>;
  /** Null if the report has no playground. */
  readonly playground: (agent: string) => Promise<Playground | null>;
  /** The newest recalls with a `seq` below `before`; null for a file, which has no single recalls. */
  readonly recalls: ((agent: string, before: number | null) => Promise<readonly AuditPageEntry[]>) | null;
}
