import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const WORKFLOWS = join('.github', 'workflows');

/** One step of a job. */
export interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly steps: readonly Step[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly 'timeout-minutes'?: number;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
}

export interface Workflow {
  readonly on: string | Readonly<Record<string, unknown>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
  readonly text: string;
}

/** A workflow of this repository. */
export function readWorkflow(file: string): Workflow {
  return parseWorkflow(readFileSync(join(WORKFLOWS, file), 'utf8'));
}

export function parseWorkflow(text: string): Workflow {
  return { ...(parse(text) as Omit<Workflow, 'text'>), text };
}

export function stepsOf({ jobs }: Workflow): Step[] {
  return Object.values(jobs).flatMap(({ steps }) => steps);
}

/** Words of every command of a script, which has lists, `if … then … fi` and plain quotes, and no more of a shell. */
export function commandsOf(script: string): string[][] {
  return script
    .split(/&&|\|\||[;\n]/)
    .map((part) => part.trim().replace(/^(?:then|else)\s+/, ''))
    .filter((part) => part !== '' && part !== 'fi' && !part.startsWith('if ['))
    .map((part) => [...part.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''));
}
