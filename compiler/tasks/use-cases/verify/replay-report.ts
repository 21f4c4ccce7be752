import { VadeError } from '../../../schema/errors.ts';
import type { Arguments } from '../../../world/flags/flag.ts';
import { orchestratorKey } from '../../../world/trust-keys.ts';
import type { World } from '../../../world/world.ts';
import { VerifyReport } from '../../schema/verify-report.ts';
import { isSealed } from '../../sealed-plan.ts';
import { isStale } from '../../verify/verdict.ts';
import { readGitState } from '../../worktree/read-git-state.ts';
import type { TASK_REPLAY } from '../flags.ts';
import { withLedger } from '../with-ledger.ts';
import { commitIn } from './git-watch.ts';
import { spawnedAgent } from './spawned-agent.ts';
import { boxingOf, judgeable } from './verify-agent.ts';
import { verifyWork } from './verify-work.ts';

export type ReplayFlags = Arguments<typeof TASK_REPLAY>;

/** An earlier report, judged again. */
export interface ReplayedReport {
  /** Main has moved since: the merge is another one now. */
  readonly stale: boolean;
  /** The differences between the two reports; empty if all is the same. */
  readonly differences: readonly string[];
  readonly before: VerifyReport;
  readonly now: VerifyReport;
}

/** Judges the newest report of an agent again, with the main and the work that it names. @throws as `verifyAgent` */
export function replayReport(flags: ReplayFlags, world: World): Promise<ReplayedReport> {
  const orchestrator = orchestratorKey(flags.key, world);
  const key = { keyid: orchestrator.keyid, pem: orchestrator.publicPem };
  return judgeable(() =>
    withLedger(flags.repo, world, async (ledger, { repository }) => {
      const agent = spawnedAgent(ledger, flags.agent, key);
      const rows = ledger.rowsOf(flags.agent).filter((it) => it.row.kind === 'verify' && isSealed(it, key));
      const row = rows.at(-1)?.row;
      if (row?.kind !== 'verify') throw new VadeError('agent_not_found', `${flags.agent} has not been judged yet`);
      const before = VerifyReport.parse(JSON.parse(row.report.text));
      const now = await verifyWork(
        {
          agent,
          repository,
          ledger,
          key,
          report: before.agent_report,
          runMode: before.run_mode,
          seconds: flags.seconds,
          boxing: boxingOf(flags, world),
          main: before.main.commit,
          git: before.git,
          guard: before.guard,
          snapshot: before.verdict === 'holds' ? before.snapshot.commit : undefined,
        },
        world,
      );
      const main = commitIn(readGitState(repository.common), before.main.ref);
      return { stale: isStale(before, main ?? ''), differences: differencesOf(before, now), before, now };
    }),
  );
}

/** The differences between the judgements of two reports. `.git` is not compared: it goes on changing. */
function differencesOf(before: VerifyReport, now: VerifyReport): string[] {
  const told = (it: VerifyReport) => [
    `snapshot ${it.snapshot.tree}`,
    `merge ${it.merge?.tree ?? it.merge?.conflicts.join(' ') ?? 'not reached'}`,
    ...it.passes.flatMap(({ pass, tree, findings }) => [
      `${pass} ${tree ?? 'conflicts'}`,
      ...findings.map(({ check, result }) => `${pass} ${check} ${result}`),
    ]),
  ];
  const was = told(before);
  const is = told(now);
  return [
    ...was.filter((it) => !is.includes(it)).map((it) => `- ${it}`),
    ...is.filter((it) => !was.includes(it)).map((it) => `+ ${it}`),
  ];
}
