import { instant } from '../../../schema/primitives.ts';
import type { World } from '../../../world/world.ts';
import type { WorkSnapshot } from '../../schema/snapshot.ts';
import type { VerifyReport } from '../../schema/verify-report.ts';
import { cannotKnow, verdictOf, type TestSandbox } from '../../verify/verdict.ts';
import type { ClearedRights } from '../../worktree/clear-rights.ts';
import type { Watched } from './git-watch.ts';
import type { SpawnedAgent } from './spawned-agent.ts';

/** The results of a run. */
export interface JudgedWork extends Pick<VerifyReport, 'git' | 'guard' | 'main' | 'merge' | 'passes'> {
  readonly agent: SpawnedAgent;
  readonly snapshot: WorkSnapshot;
  /** The sandbox in which its checks ran. */
  readonly sandbox: TestSandbox;
  readonly newNames: readonly string[];
  readonly cleared: readonly ClearedRights[];
  /** The agent's report. */
  readonly report: string | null;
  readonly runMode: VerifyReport['run_mode'];
}

/** The changes from before the checks ran, and those from while they ran. */
export function gitOf(before: Watched, after: Watched): VerifyReport['git'] {
  const known = new Set(before.changes.map(({ path, after: value }) => `${path} ${value ?? ''}`));
  return after.changes.map((it) => ({
    ...it,
    when: known.has(`${it.path} ${it.after ?? ''}`) ? ('agent' as const) : ('checks' as const),
  }));
}

/** Changes of the guard since the spawn, from before the checks ran or after. */
export function guardOf(before: VerifyReport['guard'], after: VerifyReport['guard']): VerifyReport['guard'] {
  const found = new Map([...before, ...after].map((it) => [it.path, it]));
  return [...found.values()];
}

/** The report of a run. @param world of which the time is taken */
export function reportOf(
  { agent, main, snapshot, newNames, cleared, sandbox, ...given }: JudgedWork,
  { now }: Pick<World, 'now'>,
): VerifyReport {
  const { plan, spawn } = agent;
  const { passes, merge, git, guard } = given;
  return {
    format: 1,
    agent_id: plan.agent_id,
    task: plan.task,
    role: plan.role,
    plan_digest: spawn.plan.digest,
    run_mode: given.runMode,
    main,
    base: plan.base,
    snapshot: {
      tree: snapshot.tree,
      commit: snapshot.commit,
      changes: snapshot.changes.length,
      left_out: [...snapshot.left_out],
    },
    merge,
    passes,
    git,
    guard,
    noticed: [
      ...noticed('new_in_git', newNames),
      ...noticed('not_searched', cleared.every((it) => it.isWhole) ? [] : ['.']),
      ...noticed('privileged', [...new Set(cleared.flatMap((it) => it.privileged))].sort()),
      ...noticed('second_name', snapshot.second_names),
    ],
    ...verdictOf({ passes, git, guard }),
    escalation: plan.escalation,
    sandbox: sandbox.name,
    agent_report: given.report,
    cannot_know: cannotKnow(sandbox),
    at: instant(Math.floor(now().getTime() / 1000)),
  };
}

/** A report names so many of a kind. */
const MOST_NOTICED = 1_000;

function noticed(what: VerifyReport['noticed'][number]['what'], paths: readonly string[]): VerifyReport['noticed'] {
  return paths.slice(0, MOST_NOTICED).map((path) => ({ what, path }));
}
