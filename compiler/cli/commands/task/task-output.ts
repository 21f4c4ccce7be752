import { z } from 'zod';
import { VadeError } from '../../../schema/errors.ts';
import { PROPOSALS, type VerifyReport } from '../../../schema/task/verify-report.ts';

/** A plan, or what is known of one before anybody starts an agent: compiler/schema/task/plan.ts has all of it. */
export const PlanShape = z.looseObject({ format: z.literal(1), prompt: z.string() });

/** The shape of the answer about work that holds. */
export const JUDGED = { proposal: z.enum(PROPOSALS), judged: z.looseObject({}) };

/** The exit of a verdict: 0 holds, 2 violations, 1 could not be judged. @throws work_violates, work_unjudged */
export function verdictOutcome(report: VerifyReport, data: Readonly<Record<string, unknown>>) {
  const { verdict, proposal, agent_id, sandbox } = report;
  const how = sandbox === 'none' ? ', unconfined' : '';
  const text = `${agent_id}: ${verdict}${how}; ${(proposal ?? 'a person looks at it').replaceAll('_', ' ')}`;
  if (verdict === 'violations') throw new VadeError('work_violates', text, { ...data, judged: report });
  if (verdict === 'unjudged') throw new VadeError('work_unjudged', text, { ...data, judged: report });
  return { data: { ...data, proposal, judged: report }, text: `${text}: git merge ${report.snapshot.commit}` };
}
