import { isAbsolute, join } from 'node:path';
import { ORCHESTRATOR_FILE } from '../../../capabilities/gate/disk-store.ts';
import { realDisk } from '../../../capabilities/paths/disk.ts';
import { realPath } from '../../../capabilities/paths/real-path.ts';
import { readRegular } from '../../../io/files/file.ts';
import { RunMode } from '../../../schema/capability/tools.ts';
import { messageOf, VadeError } from '../../../schema/errors.ts';
import { sha256 } from '../../../trust/canonical.ts';
import { readPublicKey } from '../../../world/read-public-key.ts';
import { orchestratorKey } from '../../../world/trust-keys.ts';
import type { World } from '../../../world/world.ts';
import { AgentId } from '../../schema/ids.ts';
import { MAX_TASK_BYTES } from '../../schema/task-file.ts';
import type { CheckFinding, VerifyReport } from '../../schema/verify-report.ts';
import type { OrchestratorKey } from '../../sealed-plan.ts';
import { withLedger } from '../with-ledger.ts';
import { spawnedAgent } from './spawned-agent.ts';
import { judgeable } from './verify-agent.ts';
import { verifyWork } from './verify-work.ts';

/** The verdict of one atom, with its findings in each pass that it ran in. */
export interface JudgedAtom {
  readonly atom: string;
  readonly verdict: VerifyReport['verdict'];
  readonly findings: readonly (CheckFinding & { readonly pass: string })[];
}

/** The variables that say whose work is judged; each has to be there. */
const VARIABLES = ['AGENT_ID', 'TASK_TOML', 'WORKTREE_PATH', 'MAIN_REPO', 'RUN_MODE'] as const;

/** Most seconds of one command. */
const SECONDS = 1800;

/**
 * Judges one atom, driven by the environment alone (agent substrate, `kei-capability verify <name>`). What the
 * variables say has to be what the orchestrator sealed when it started the agent.
 *
 * @throws source_not_found for a missing variable, argument_invalid, agent_not_found, work_unjudged
 */
export async function verifyAtom(atom: string, world: World): Promise<JudgedAtom> {
  const given = variables(world);
  return judgeable(() =>
    withLedger(given.MAIN_REPO, world, async (ledger, { repository, tasks }) => {
      const key = keyOf(tasks, world);
      const agent = spawnedAgent(ledger, given.AGENT_ID, key);
      const { plan } = agent;
      const worktree = realPath(given.WORKTREE_PATH, realDisk);
      if (worktree !== plan.worktree)
        throw wrong('WORKTREE_PATH', `the worktree of ${plan.agent_id} is ${plan.worktree}`);
      if (sha256(taskBytes(given.TASK_TOML)) !== plan.task.digest) {
        throw wrong('TASK_TOML', `it is not the task of ${plan.agent_id}`);
      }
      const checks = plan.checks.filter((it) => it.atom === atom);
      if (checks.length === 0) throw new VadeError('argument_invalid', `${plan.role.name} has no check of ${atom}`);
      const runMode = given.RUN_MODE;
      const boxing = { choice: 'auto', hidden: [] } as const;
      const request = { agent, repository, ledger, key, report: null, seconds: SECONDS, boxing, runMode };
      const own = checks.map((it) => ({ ...it, run_mode: runMode }));
      const report = await verifyWork({ ...request, checks: own }, world);
      const findings = report.passes.flatMap(({ pass, findings: all }) => all.map((it) => ({ ...it, pass })));
      return { atom, verdict: report.verdict, findings };
    }),
  );
}

/** The orchestrator's key, or the public half that was copied beside the bindings when the gate was installed. */
function keyOf(tasks: string, world: World): OrchestratorKey {
  if ((world.env['VADE_ORCHESTRATOR_KEY'] ?? '') === '')
    return readPublicKey(join(tasks, ORCHESTRATOR_FILE), 'repo', world);
  const { keyid, publicPem } = orchestratorKey(undefined, world);
  return { keyid, pem: publicPem };
}

function wrong(name: string, why: string): VadeError {
  return new VadeError('argument_invalid', `${name}: ${why}`, { variable: name });
}

function variables({ env }: World) {
  const missing = VARIABLES.filter((it) => (env[it] ?? '') === '');
  if (missing.length > 0) throw new VadeError('source_not_found', `${missing.join(', ')}: not set in the environment`);
  const of = (name: (typeof VARIABLES)[number]) => env[name] ?? '';
  const agent = AgentId.safeParse(of('AGENT_ID'));
  if (!agent.success) throw wrong('AGENT_ID', 'it is not the id of an agent');
  const mode = RunMode.safeParse(of('RUN_MODE'));
  if (!mode.success) throw wrong('RUN_MODE', `write one of ${RunMode.options.join(', ')}`);
  for (const it of ['TASK_TOML', 'WORKTREE_PATH', 'MAIN_REPO'] as const) {
    if (!isAbsolute(of(it)) || /[\0\n]/.test(of(it))) throw wrong(it, 'write an absolute path');
  }
  return {
    AGENT_ID: agent.data,
    RUN_MODE: mode.data,
    TASK_TOML: of('TASK_TOML'),
    WORKTREE_PATH: of('WORKTREE_PATH'),
    MAIN_REPO: of('MAIN_REPO'),
  };
}

function taskBytes(path: string): Buffer {
  try {
    return readRegular(path, MAX_TASK_BYTES);
  } catch (error) {
    throw wrong('TASK_TOML', messageOf(error));
  }
}
