import { z } from 'zod';
import { VadeError } from '../../../schema/errors.ts';
import { PROPOSALS, type VerifyReport } from '../../../tasks/schema/verify-report.ts';

/** A plan, or what is known of one before anybody starts an agent: compiler/tasks/schema/plan.ts has all of it. */
export const PlanShape = z.looseObject({ format: z.literal(1), prompt: z.string() });

/** The shape of the answer about work that holds. */
export const JUDGED = { proposal: z.enum(PROPOSALS), judged: z.looseObject({}) };

/** The exit of a verdict: 0 holds, 2 violations, 1 could not be judged. @throws work_violates, work_unjudged */
export function verdictOutcome(report: VerifyReport, data: Readonly<Record<string, unknown>>) {
  const { verdict, proposal, agent_id, sandbox } = report;
  const how = sandbox === 'none' ? ', unconfined' : '';
  const text = `${agent_id}: ${verdict}${how}; ${(proposal ?? 'a person has to look at it').replaceAll('_', ' ')}`;
  if (verdict === 'violations') throw new VadeError('work_violates', text, { ...data, judged: report });
  if (verdict === 'unjudged') {
    throw new VadeError('work_unjudged', `${text}: ${whyUnjudged(report)}`, {
      ...data,
      judged: report,
      ...suggestionFor(report),
    });
  }
  return { data: { ...data, proposal, judged: report }, text: `${text}: git merge ${report.snapshot.commit}` };
}

/** The reasons why work could not be judged: first unexplained changes, then checks without a result. */
function whyUnjudged({ git, guard, passes }: VerifyReport): string {
  const changed = [...guard, ...git].map((it) => `${it.path} changed`);
  const unknown = passes
    .flatMap((it) => it.findings)
    .filter((it) => it.result === 'unknown' && it.severity === 'block')
    .map((it) => `${it.check}: ${it.reason}`);
  const all = [...new Set([...changed, ...unknown])];
  return all.length > MOST_TOLD
    ? `${all.slice(0, MOST_TOLD).join('; ')}; and ${all.length - MOST_TOLD} more`
    : all.join('; ');
}

const MOST_TOLD = 3;

function suggestionFor({ agent_id, git, guard }: VerifyReport) {
  if (git.length + guard.length === 0) return {};
  return { suggestion: `if the change is right, run vade task explain --agent ${agent_id} --reason "…"` };
}
