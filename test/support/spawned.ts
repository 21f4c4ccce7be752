import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openLedger } from '../../compiler/tasks/ledger/open-ledger.ts';
import type { LedgerRow } from '../../compiler/tasks/schema/ledger-row.ts';
import type { Plan } from '../../compiler/tasks/schema/plan.ts';
import type { VerifyReport } from '../../compiler/tasks/schema/verify-report.ts';
import { readGuard } from '../../compiler/tasks/use-cases/guard-state.ts';
import { spawnedAgent } from '../../compiler/tasks/use-cases/verify/spawned-agent.ts';
import { verifyWork, type VerifyRequest } from '../../compiler/tasks/use-cases/verify/verify-work.ts';
import { withLedger } from '../../compiler/tasks/use-cases/with-ledger.ts';
import { readGitState } from '../../compiler/tasks/worktree/read-git-state.ts';
import { canonicalJson, sha256 } from '../../compiler/trust/canonical.ts';
import type { World } from '../../compiler/world/world.ts';
import { tempFolder } from './folder.ts';
import { ORCHESTRATOR, spawnRow } from './planned.ts';
import { repository, type Repository } from './repository.ts';
import { plannedCheck } from './work.ts';
import { worldIn } from './world.ts';

const KEY = { keyid: ORCHESTRATOR.keyid, pem: ORCHESTRATOR.publicPem };
export const AT = '2026-11-23T12:00:00Z';

/** Checks that need no program. */
export const CHEAP = [
  plannedCheck('verifies::scope_files_whitelist', ['files-whitelist']),
  plannedCheck('verifies::policy_no_git_ops', []),
  plannedCheck('verifies::safety_no_dep_bump', []),
];

/** A repository whose agents are started without a host, and judged. */
export function agentsPlace(files: Readonly<Record<string, string>>, env: World['env'] = {}) {
  const repo = repository();
  for (const [path, text] of Object.entries(files)) repo.write(path, text);
  repo.commit();
  const trees = tempFolder();
  const common = join(repo.path, '.git');
  const tasks = join(common, 'vade');
  const append = (row: LedgerRow, sealer: typeof ORCHESTRATOR | null = ORCHESTRATOR) => {
    const ledger = openLedger(join(tasks, 'ledger.db'));
    ledger.append(row, sealer);
    ledger.close();
  };
  const spawn = (id: string, more: Partial<Plan> = {}) => startAgent(repo, join(trees, id), append, id, more, env);
  const verify = (
    id: string,
    more: Partial<VerifyRequest> = {},
    world: World = { ...worldIn(repo.path, new Date(AT)), env },
  ) =>
    withLedger(repo.path, world, (ledger, { repository: place }) => {
      const agent = spawnedAgent(ledger, id, KEY);
      const usual = { report: null, seconds: 60, boxing: { choice: 'none', hidden: [] } } as const;
      return verifyWork({ agent, repository: place, ledger, key: KEY, ...usual, ...more }, world);
    });
  /** Writes that a report holds into the ledger, as the command does. */
  const keep = (report: VerifyReport) => {
    append(verifyRow(report));
  };
  return { repo, common, tasks, trees, append, spawn, verify, keep };
}

/** The row of a judged agent. */
function verifyRow(report: VerifyReport): LedgerRow {
  const text = canonicalJson(report);
  const { agent_id, verdict, plan_digest } = report;
  return { format: 1, kind: 'verify', agent_id, at: AT, plan_digest, verdict, report: { digest: sha256(text), text } };
}

function startAgent(
  repo: Repository,
  worktree: string,
  append: (row: LedgerRow) => void,
  id: string,
  more: Partial<Plan>,
  env: World['env'],
) {
  repo.git('worktree', 'add', '--quiet', '--detach', worktree);
  const base = repo.git('rev-parse', 'HEAD').trim();
  const text = canonicalJson(readGitState(join(repo.path, '.git')));
  const usual = { checks: CHEAP, parameters: { 'files-whitelist': ['src/**'] } };
  const guard = readGuard({ tasks: join(repo.path, '.git/vade'), top: repo.path }, env);
  const row = spawnRow(id, { worktree, guard, base, ...usual, ...more });
  append({ ...row, git_state: { digest: sha256(text), text } });
  const at = (path: string) => join(worktree, path);
  const write = (path: string, content: string) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
  };
  const append_ = (path: string, content: string) => {
    appendFileSync(at(path), content);
  };
  const remove = (path: string) => {
    rmSync(at(path), { recursive: true });
  };
  return { id, worktree, base, guard, at, write, append: append_, remove };
}

/** Violations, as `pass check`, and the proposal. */
export function told(report: VerifyReport) {
  const failed = report.passes.flatMap(({ pass, findings }) =>
    findings.filter((it) => it.result === 'fail').map((it) => `${pass} ${it.check}`),
  );
  return { verdict: report.verdict, proposal: report.proposal, failed, git: report.git.map((it) => it.path) };
}
