import type { GateFinding } from './decide.ts';

/**
 * The answer of the process to the host. It never prints on stdout: a permission printed there would skip the user's.
 */
export interface HookAnswer {
  readonly exit: 0 | 2;
  readonly stderr: string;
  /** Lines for the log of advisory findings. */
  readonly log: readonly string[];
}

export const SILENT: HookAnswer = { exit: 0, stderr: '', log: [] };

/** Turns findings into an answer: one denial that blocks is enough. */
export function answerTo(findings: readonly GateFinding[]): HookAnswer {
  const lines = (severity: GateFinding['severity']) =>
    findings.filter((it) => it.severity === severity).flatMap(lineOf);
  const blocked = lines('block');
  const log = lines('advisory');
  if (blocked.length > 0) return { exit: 2, stderr: `${blocked.join('\n')}\n`, log };
  const warned = lines('warn');
  return { exit: 0, stderr: warned.length > 0 ? `${warned.join('\n')}\n` : '', log };
}

/** A refusal outside of any atom. */
export function refusal(why: string): HookAnswer {
  return { exit: 2, stderr: `gate: ${oneLine(why)}. Instead: stop, and tell the orchestrator.\n`, log: [] };
}

function lineOf({ atom, outcome }: GateFinding): string[] {
  return outcome.outcome === 'deny' ? [`${atom}: ${oneLine(outcome.rule)}. Instead: ${oneLine(outcome.instead)}.`] : [];
}

/** Replaces control characters: names come from the agent, and must not look like another line, or move a cursor. */
function oneLine(text: string): string {
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\uE000-\uE003]+/g, ' ').slice(0, 400);
}
