import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { realDisk } from '../../../capabilities/paths/disk.ts';
import { realPath } from '../../../capabilities/paths/real-path.ts';
import { readNamedPaths } from '../../../io/git/git-config.ts';
import { thisUser, type Repository } from '../../../io/git/repository.ts';
import type { RunMode } from '../../../schema/capability/tools.ts';
import { VadeError } from '../../../schema/errors.ts';
import type { World } from '../../../world/world.ts';
import type { Ledger } from '../../ledger/open-ledger.ts';
import type { GitChange } from '../../schema/git-state.ts';
import type { PlannedCheck } from '../../schema/plan.ts';
import type { WorkSnapshot } from '../../schema/snapshot.ts';
import type { CheckFinding, VerifyReport } from '../../schema/verify-report.ts';
import type { OrchestratorKey } from '../../sealed-plan.ts';
import { conflictFinding, isViolation, judgePass, refusalFindings } from '../../verify/judge-pass.ts';
import { obeyedFindings } from '../../verify/obeyed-files.ts';
import { clearRights, type ClearedRights } from '../../worktree/clear-rights.ts';
import { keepObjects } from '../../worktree/loose-objects.ts';
import { changedFiles, mergeCommits } from '../../worktree/merge.ts';
import { privateGit, type PrivateGit } from '../../worktree/private-git.ts';
import { runFolder } from '../../worktree/run-folder.ts';
import { takeSnapshot } from '../../worktree/snapshot.ts';
import { hiddenGit, hiddenState } from '../hidden-state.ts';
import { commitIn, mainRef, watchGit, type Watched } from './git-watch.ts';
import { assertSameGit, guardChanges } from './guard-watch.ts';
import { openBench, passWork, type Bench, type Boxing, type PassTrees } from './pass-work.ts';
import { bypassesOf, revocationOf, rowsSince, type SpawnedAgent } from './spawned-agent.ts';
import { gitOf, guardOf, reportOf } from './work-report.ts';

/** Whose work is judged, and how. */
export interface VerifyRequest {
  readonly agent: SpawnedAgent;
  readonly repository: Repository;
  readonly ledger: Ledger;
  readonly key: OrchestratorKey;
  /** The agent's report; null if it gave none. */
  readonly report: string | null;
  /** Instead of the plan's checks: for one atom, or another run mode. */
  readonly checks?: readonly PlannedCheck[];
  readonly runMode?: RunMode | null;
  /** Most seconds of one command. */
  readonly seconds: number;
  /** The sandbox; the state of the repository is hidden without being named. */
  readonly boxing: Boxing;
  /** Rights that were taken off the files of the worktree when its agent had ended. */
  readonly cleared?: ClearedRights;
  /** The main that an earlier report was about, and its snapshot if it was kept, for its replay. */
  readonly main?: string;
  readonly snapshot?: string | undefined;
  /** The changes in `.git` at that time, for its replay: `.git` has changed since. */
  readonly git?: VerifyReport['git'];
  readonly guard?: VerifyReport['guard'];
}

/** The state of one run. */
interface Run {
  readonly request: VerifyRequest;
  readonly git: PrivateGit;
  readonly bench: Bench;
  readonly watched: Watched;
  readonly main: { readonly ref: string; readonly commit: string };
  readonly snapshot: WorkSnapshot;
  /** Files and folders that the configuration of git names. */
  readonly named: readonly string[];
}

/**
 * Judges what an agent left, from the main repository and never in the worktree (agent substrate, Verify execution):
 * first a snapshot of the worktree, then main with that snapshot merged. Nothing of the repository is changed; the
 * objects of work that holds are kept.
 *
 * @throws work_unjudged, repository_refused, repository_unreadable, gitNowunavailable, output_failed
 */
export async function verifyWork(request: VerifyRequest, world: World): Promise<VerifyReport> {
  const { repository, agent } = request;
  const cleared = [
    request.cleared ?? [],
    request.snapshot === undefined ? clearRights(agent.plan.worktree) : [],
  ].flat();
  const guard = guardNow(request, world);
  assertSameGit(agent.plan.agent_id, guard);
  const folder = runFolder();
  try {
    const git = await privateGit(repository, folder.path);
    const readable = [repository.top, repository.common];
    const worktrees = dirname(agent.plan.worktree);
    const avoid = [...readable, worktrees];
    const hidden = [...hiddenState({ repository, worktrees }, world), ...hiddenGit(repository.common)];
    const boxing = { ...request.boxing, hidden: [...request.boxing.hidden, ...hidden] };
    const given = { git, folder: folder.path, seconds: request.seconds, readable, avoid, mark: markOf(folder.path) };
    const bench = await openBench(given, boxing, world);
    const report = await verifyIn({ ...request, before: guard, clearedNow: cleared }, git, bench, world);
    if (report.verdict === 'holds') keepObjects(git.objects, join(repository.common, 'objects'));
    return report;
  } finally {
    folder.remove();
  }
}

/** The mark of a run: its folder's name, which is random and unique. */
function markOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('/') + 1);
}

interface GuardedRequest extends VerifyRequest {
  /** Changes of the guard since the spawn, before anything was run. */
  readonly before: VerifyReport['guard'];
  readonly clearedNow: readonly ClearedRights[];
}

/** Changes of the guard since the spawn. */
function guardNow({ agent, repository, ledger, key }: VerifyRequest, world: World): GitChange[] {
  return guardChanges(agent, repository, rowsSince(ledger, agent.plan.agent_id, key), world);
}

async function verifyIn(request: GuardedRequest, git: PrivateGit, bench: Bench, world: World): Promise<VerifyReport> {
  const { agent, repository, ledger, key } = request;
  const { plan } = agent;
  const revoked = revocationOf(ledger, plan.agent_id);
  if (revoked !== null) throw new VadeError('work_unjudged', `${plan.agent_id} is revoked: ${revoked}`);
  const watch = () => watchGit(git, repository.common, agent, rowsSince(ledger, plan.agent_id, key));
  const now = await watch();
  const watched = request.git === undefined ? now : { ...now, changes: request.git };
  const ref = mainRef(agent.state);
  const commit = request.main ?? commitIn(watched.state, ref);
  if (commit === null) throw new VadeError('work_unjudged', `${ref} no longer exists`);
  const snapshot = await snapshotFor(request, git, bench.folder);
  const named = await readNamedPaths(repository, thisUser(world.env));
  const run: Run = { request, git, bench, watched, main: { ref, commit }, snapshot, named };
  const { passes, merge } = await judgePasses(run, world);
  const gitNow = request.git ?? gitOf(watched, await watch());
  return reportOf(
    {
      agent,
      ...{ main: run.main, snapshot, passes, merge, newNames: watched.newNames, cleared: request.clearedNow },
      git: gitNow,
      guard: request.guard ?? guardOf(request.before, guardNow(request, world)),
      sandbox: bench.sandbox,
      report: request.report,
      runMode: request.runMode ?? null,
    },
    world,
  );
}

/** A new snapshot of the worktree, or the one that was kept when the work held. */
async function snapshotFor({ agent, snapshot }: VerifyRequest, git: PrivateGit, folder: string): Promise<WorkSnapshot> {
  const { plan } = agent;
  if (snapshot !== undefined) return keptSnapshot(git, plan.base, snapshot);
  assertWorktree(plan.worktree);
  const title = `${plan.task.id}: work of ${plan.agent_id}`;
  const at = Math.floor(Date.parse(plan.created_at) / 1000);
  return takeSnapshot(git, { worktree: plan.worktree, base: plan.base, folder, title, at });
}

async function keptSnapshot(git: PrivateGit, base: string, commit: string): Promise<WorkSnapshot> {
  const tree = (await git.text(['rev-parse', `${commit}^{tree}`])).trim();
  return {
    base,
    tree,
    commit,
    changes: await changedFiles(git, base, tree),
    refusals: [],
    left_out: [],
    second_names: [],
  };
}

function assertWorktree(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() && realPath(path, realDisk) === path) return;
  throw new VadeError('work_unjudged', `the worktree ${path} does not exist, or is a link`);
}

type Passes = VerifyReport['passes'];

/** Both passes; the second only if the first has no violation. */
async function judgePasses(run: Run, world: World): Promise<Pick<VerifyReport, 'merge' | 'passes'>> {
  const { git, snapshot, main } = run;
  const mode = run.request.runMode ?? 'both';
  const passes: Passes = [];
  if (mode !== 'simulated-merge') {
    const trees = { pass: 'worktree', from: snapshot.base, tree: snapshot.tree, changes: snapshot.changes } as const;
    const findings = [...refusalFindings(snapshot.refusals), ...(await judgeTrees(run, trees, world))];
    passes.push({ pass: 'worktree', tree: snapshot.tree, findings });
    if (mode === 'worktree' || findings.some(isViolation)) return { passes, merge: null };
  }
  const merged = await mergeCommits(git, main.commit, snapshot.commit);
  if ('conflicts' in merged) {
    passes.push({ pass: 'simulated-merge', tree: null, findings: [conflictFinding(merged.conflicts)] });
    return { passes, merge: { tree: null, conflicts: [...merged.conflicts] } };
  }
  const changes = await changedFiles(git, main.commit, merged.tree);
  const trees = { pass: 'simulated-merge', from: main.commit, tree: merged.tree, changes } as const;
  passes.push({ pass: 'simulated-merge', tree: merged.tree, findings: await judgeTrees(run, trees, world) });
  return { passes, merge: { tree: merged.tree, conflicts: [] } };
}

async function judgeTrees(run: Run, trees: PassTrees, world: World): Promise<CheckFinding[]> {
  const { request, bench, watched } = run;
  const { plan } = request.agent;
  const [own, shared] = [true, false].map((it) => watched.changes.filter((change) => change.own === it));
  const about = {
    agent_id: plan.agent_id,
    task: plan.task.id,
    report: request.report,
    git: { own: own ?? [], shared: shared ?? [] },
  };
  const work = passWork(trees, about, bench, world);
  const bypassed = bypassesOf(request.ledger, plan, request.key);
  const obeyed = await obeyedFindings(work, plan.obeyed_allowed, run.named);
  return [...obeyed, ...(await judgePass(work, request.checks ?? plan.checks, plan.parameters, bypassed))];
}
