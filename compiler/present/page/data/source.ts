import type { Tried } from '../../../schema/api/playground.ts';
import type { AgentReport } from '../../../schema/report/agent-report.ts';
import type { Report } from '../../../schema/report/report.ts';

/** What the playground asks. */
export interface Question {
  readonly intent: string;
  readonly max_chunks: number;
  readonly token_budget: number;
}

/** How the playground answers, and what its answers lack. */
export interface Playground {
  readonly ask: (question: Question) => Promise<Tried>;
  /** In words; null where it answers as a server would. */
  readonly lacks: string | null;
}

/** Where the page's data comes from: the file it lies in, or the server that sent it. */
export interface Source {
  readonly kind: 'file' | 'server';
  readonly report: Report;
  readonly agent: (name: string) => Promise<AgentReport>;
  /** Null where the report was written without one. */
  readonly playground: (agent: string) => Promise<Playground | null>;
}
