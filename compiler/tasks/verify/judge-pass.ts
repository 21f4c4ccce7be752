import type { GivenValues } from '../../schema/capability/parameters.ts';
import { messageOf } from '../../schema/errors.ts';
import { unknown, type Judgement, type Pass, type PassWork } from '../checks/check-module.ts';
import { checkModule } from '../checks/registry.ts';
import type { PlannedCheck } from '../schema/plan.ts';
import { REFUSALS, type SnapshotRefusal } from '../schema/snapshot.ts';
import type { CheckFinding } from '../schema/verify-report.ts';

/** Whether a check runs in a pass (agent substrate, run-mode values). */
function runsIn({ run_mode }: Pick<PlannedCheck, 'run_mode'>, pass: Pass): boolean {
  return run_mode === 'both' || run_mode === pass;
}

/** Runs every check of a pass, one after the other; none stops the others. @param bypassed reasons, by atom */
export async function judgePass(
  work: PassWork,
  checks: readonly PlannedCheck[],
  task: GivenValues,
  bypassed: ReadonlyMap<string, string>,
): Promise<CheckFinding[]> {
  const findings: CheckFinding[] = [];
  for (const check of checks.filter((it) => runsIn(it, work.pass))) {
    const reason = bypassed.get(check.atom);
    const found =
      reason === undefined ? await judge(work, check, task) : { result: 'bypassed' as const, reason, detail: null };
    findings.push({ check: check.atom, severity: check.severity, ...found });
  }
  return findings;
}

/** An atom whose check is missing or breaks did not hold: nothing is passed by an error. */
async function judge(work: PassWork, check: PlannedCheck, task: GivenValues): Promise<Judgement> {
  const module = checkModule(check.module);
  if (module === undefined) return unknown(`there is no module ${check.module}`);
  if (check.when !== 'on-return') return unknown(`no check runs ${check.when}`);
  try {
    return await module({ ...work, run: work.commands() }, check, task);
  } catch (error) {
    return unknown('the check failed with an internal error', messageOf(error));
  }
}

/** Content that no commit may have, as one violation for each reason. */
export function refusalFindings(refusals: readonly SnapshotRefusal[]): CheckFinding[] {
  const rules = [...new Set(refusals.map((it) => it.rule))];
  return rules.map((rule) => ({
    check: 'snapshot',
    severity: 'block',
    result: 'fail',
    reason: `${rule}: ${REFUSALS[rule]}`,
    detail: refusals
      .filter((it) => it.rule === rule)
      .map((it) => it.path)
      .join('\n'),
  }));
}

/** Main and the snapshot cannot be merged: a rejection like any other. */
export function conflictFinding(conflicts: readonly string[]): CheckFinding {
  const reason = 'main and the agent changed the same lines: the merge has conflicts';
  return { check: 'merge', severity: 'block', result: 'fail', reason, detail: conflicts.join('\n') };
}

/** Whether a finding rejects the work; one of an atom that only warns or advises does not. */
export function isViolation({ result, severity }: CheckFinding): boolean {
  return result === 'fail' && severity === 'block';
}
