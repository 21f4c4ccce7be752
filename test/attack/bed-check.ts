import { mkdirSync } from 'node:fs';
import { SCRATCH_PATTERNS } from '../../compiler/capabilities/atoms/scratch-files.ts';
import { matchesPath } from '../../compiler/capabilities/paths/patterns.ts';
import { findRepository } from '../../compiler/io/git/repository.ts';
import { openBench, passWork } from '../../compiler/tasks/use-cases/verify/pass-work.ts';
import { isViolation, judgePass, refusalFindings } from '../../compiler/tasks/verify/judge-pass.ts';
import { obeyedFindings } from '../../compiler/tasks/verify/obeyed-files.ts';
import { privateGit } from '../../compiler/tasks/worktree/private-git.ts';
import { takeSnapshot } from '../../compiler/tasks/worktree/snapshot.ts';
import { plannedCheck } from '../support/work.ts';
import { worldIn } from '../support/world.ts';

/** The lists of the task that the tables of commands are for (test/capabilities/everyday.yaml). */
export const LISTS = {
  listed: ['src/**', 'test/**', 'docs/**', 'scripts/**', 'README.md'],
  denied: ['.github/**', 'package-lock.json'],
};

const CHECKS = [
  plannedCheck('verifies::scope_files_whitelist', ['files-whitelist']),
  plannedCheck('verifies::scope_files_denylist', ['files-denylist']),
];

/** Whether an agent of the task may change a file: it is listed, or one that builds and tests leave behind. */
export function isAllowed(path: string): boolean {
  return matchesPath(path, LISTS.listed) || matchesPath(path, SCRATCH_PATTERNS);
}

/**
 * Judges a worktree as `vade task verify` does in its first pass: by the snapshot, the files that programs obey, and
 * both lists.
 *
 * @param folder made by it, for this check alone
 */
export async function isRejected(main: string, base: string, worktree: string, folder: string): Promise<boolean> {
  mkdirSync(folder);
  const repository = await findRepository(main);
  if (repository === null) throw new Error(`${main} is no repository`);
  const git = await privateGit(repository, folder);
  const world = { ...worldIn(main), env: { PATH: process.env['PATH'] } };
  const given = { git, folder, seconds: 60, readable: [], avoid: [main, worktree], mark: 'a-check-of-the-bed' };
  const bench = await openBench(given, { choice: 'none', hidden: [] }, world);
  const { tree, changes, refusals } = await takeSnapshot(git, {
    worktree,
    base,
    folder,
    title: 'a line',
    at: 1_760_000_000,
  });
  const about = { agent_id: 'agent', task: 'task', report: null, git: { own: [], shared: [] } };
  const work = passWork({ pass: 'worktree', from: base, tree, changes }, about, bench, world);
  const lists = { 'files-whitelist': LISTS.listed, 'files-denylist': LISTS.denied };
  const findings = [
    ...refusalFindings(refusals),
    ...(await obeyedFindings(work, [])),
    ...(await judgePass(work, CHECKS, lists, new Map())),
  ];
  return findings.some(isViolation);
}
