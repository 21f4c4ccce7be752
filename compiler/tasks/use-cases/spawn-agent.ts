import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sealBinding } from '../../capabilities/gate/seal-binding.ts';
import { realDisk } from '../../capabilities/paths/disk.ts';
import { below, realPath } from '../../capabilities/paths/real-path.ts';
import type { StateFolder } from '../../capabilities/use-cases/state-folder.ts';
import { writeState } from '../../capabilities/use-cases/state-writer.ts';
import { replaceFile } from '../../io/files/durable.ts';
import { VadeError } from '../../schema/errors.ts';
import { instant } from '../../schema/primitives.ts';
import { canonicalJson, sha256 } from '../../trust/canonical.ts';
import type { Signer } from '../../trust/dsse.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { orchestratorKey } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';
import { openLedger, type Ledger } from '../ledger/open-ledger.ts';
import type { SpawnRow } from '../schema/ledger-row.ts';
import type { Plan } from '../schema/plan.ts';
import { openPlan, sealPlan } from '../sealed-plan.ts';
import { addWorktree, baseCommit, type WorktreePlace } from '../worktree/add-worktree.ts';
import { readGitState } from '../worktree/read-git-state.ts';
import { agentCall, type AgentCall } from './agent-call.ts';
import { holdAgent } from './agent-lock.ts';
import { forgetSpawn, noteSpawn } from './begun-spawns.ts';
import { isComposed } from './compose-task.ts';
import type { TASK_SPAWN } from './flags.ts';
import { readGuard } from './guard-state.ts';
import { ledgerFile, MAX_PROMPT_BYTES, promptFile, specFile } from './ledger-place.ts';
import { openTask, type OpenTask } from './open-task.ts';
import { assertGateAccepts } from './pinned-gate.ts';
import { withdrawAgent } from './withdraw-agent.ts';

export type SpawnFlags = Arguments<typeof TASK_SPAWN>;

/** An agent that a host may start now. */
export interface Spawned {
  readonly plan: Plan;
  readonly plan_digest: string;
  readonly call: AgentCall;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

/**
 * Makes everything that an agent needs: its id, its worktree, the binding that the gate reads, and the row of the
 * ledger. The call that starts it is the result; nobody can start it before all of it is on the disk.
 *
 * @throws task_not_composed, already_exists, role_not_spawnable, approval_required, signing_key_required; as `openTask`
 */
export async function spawnAgent(flags: SpawnFlags, world: World): Promise<Spawned> {
  const opened = await openTask(flags, flags.worktrees, world);
  if (!isComposed(opened)) {
    const suggestion = `vade task compose --task ${flags.task}`;
    throw new VadeError(
      'task_not_composed',
      `${opened.files.prompt} is out of date: the task, its role or the bundle changed`,
      { suggestion },
    );
  }
  const orchestrator = orchestratorKey(flags.key, world);
  const plan = await planFor(opened, flags.base, world);
  const ledger = openLedger(ledgerFile(opened.place));
  try {
    assertParent(plan, ledger, orchestrator);
    if (ledger.rowsOf(plan.agent_id).length > 0) throw taken(plan.agent_id);
    return await make(opened, plan, { ledger, orchestrator, isDry: flags['dry-run'], now: world.now().getTime() });
  } finally {
    ledger.close();
  }
}

function taken(agent: string): VadeError {
  return new VadeError(
    'already_exists',
    `the ledger already has an agent ${agent}: every agent needs an id of its own`,
  );
}

async function planFor({ composition, place }: OpenTask, base: string, world: World): Promise<Plan> {
  const { task, draft } = composition;
  const agent_id = task.declared.task['agent-id'] ?? `${task.id}-${world.random(4).toString('hex')}`;
  return {
    ...draft,
    agent_id,
    worktree: join(worktreesOf(place), agent_id),
    base: await baseCommit(place.repository, base),
    guard: readGuard({ tasks: place.tasks, top: place.repository.top }, world.env),
    created_at: instant(Math.floor(world.now().getTime() / 1000)),
  };
}

/** Below a `.git` the gate lets no agent write; inside the working tree its files would be somebody else's. */
function worktreesOf({ repository, worktrees }: StateFolder): string {
  const real = realPath(worktrees, realDisk);
  const inside = [repository.top, repository.common].find((it) => below(it, real) !== null);
  if (inside === undefined) return real;
  throw new VadeError('argument_invalid', `${real} lies in ${inside}: name a folder outside of it`, {
    flag: 'worktrees',
  });
}

/** The parent must still be running, and its own plan must let it start that role. */
function assertParent({ parent, role }: Plan, ledger: Ledger, { keyid, publicPem }: Signer): void {
  if (parent === null) return;
  const sealed = ledger.living().includes(parent) ? ledger.plan(parent) : null;
  if (sealed === null) throw new VadeError('agent_not_found', `the parent ${parent} is not a running agent`);
  if (openPlan(sealed, { keyid, pem: publicPem }).spawns.includes(role.name)) return;
  throw new VadeError('role_not_spawnable', `the plan of ${parent} does not allow it to start the role ${role.name}`);
}

interface SpawnMeans {
  readonly ledger: Ledger;
  readonly orchestrator: Signer;
  readonly isDry: boolean;
  readonly now: number;
}

async function make(opened: OpenTask, plan: Plan, means: SpawnMeans): Promise<Spawned> {
  const { place, composition, warnings } = opened;
  const binding = sealBinding(bindingOf(opened, plan), means.orchestrator);
  const isGuarded = assertGateAccepts(binding.bytes, place.tasks, means.orchestrator, means.now);
  const sealed = sealPlan(plan, means.orchestrator).toString('utf8');
  if (!means.isDry) await settle(opened, plan, sealed, binding, means);
  return {
    plan,
    plan_digest: sha256(sealed),
    call: agentCall(composition),
    warnings: [
      ...warnings.map((it) => ({ code: it.rule.toUpperCase(), message: it.message })),
      ...(isGuarded ? [] : [UNGUARDED]),
    ],
  };
}

type SealedBinding = ReturnType<typeof sealBinding>;

/** The row comes before the binding: an agent that is bound is always in the ledger. */
async function settle(
  opened: OpenTask,
  plan: Plan,
  sealed: string,
  binding: SealedBinding,
  means: SpawnMeans,
): Promise<void> {
  const { place } = opened;
  const release = holdAgent(place, plan.agent_id);
  const worktree: WorktreePlace = { path: plan.worktree, repository: place.repository };
  try {
    noteSpawn(place, plan.agent_id, plan.worktree);
    await addWorktree(worktree, plan.base);
    try {
      const row = rowOf(plan, sealed, place);
      writeState(place, () => {
        keepSpec(place, opened);
        means.ledger.append(row, means.orchestrator);
        bind(place, plan, binding);
      });
    } catch (error) {
      withdrawAgent(worktree, { ...means, place, plan });
      throw error;
    }
  } finally {
    // complete, or taken back; what is killed before stays noted
    forgetSpawn(place, plan.agent_id);
    release();
  }
}

function bind({ tasks }: StateFolder, { agent_id, worktree }: Plan, { file, bytes }: SealedBinding): void {
  replaceFile(join(tasks, 'agents', sha256(agent_id)), `${sha256(worktree)}\n`, { folders: true });
  replaceFile(join(tasks, file), bytes, { folders: true });
}

const UNGUARDED = { code: 'GATE_NOT_INSTALLED', message: 'no gate stops the agent: vade capability install' };

function bindingOf({ role }: OpenTask, plan: Plan) {
  const { worktree, agent_id, parent, task, parameters, spawns, bundle } = plan;
  return {
    format: 1 as const,
    worktree,
    agent_id,
    parent,
    task: task.id,
    role: role.resolved,
    consent: role.consent,
    parameters,
    spawns,
    bundle_revision: bundle.revision,
  };
}

/** The bytes of every task that was ever spawned and of its prompt, by digest: so that an old row can be understood. */
function keepSpec({ tasks }: StateFolder, { composition }: OpenTask): void {
  const { task, prompt, draft } = composition;
  const kept = [
    [specFile(tasks, task.digest), task.bytes],
    [promptFile(tasks, draft.prompt), prompt],
  ] as const;
  for (const [file, bytes] of kept)
    if (!existsSync(file)) replaceFile(file, bytes, { folders: true, limit: MAX_PROMPT_BYTES });
}

function rowOf(plan: Plan, sealed: string, { repository }: StateFolder): SpawnRow {
  const state = canonicalJson(readGitState(repository.common));
  const document = (text: string) => ({ digest: sha256(text), text });
  return {
    format: 1,
    kind: 'spawn',
    agent_id: plan.agent_id,
    at: plan.created_at,
    task: plan.task.id,
    parent: plan.parent,
    worktree: plan.worktree,
    base: plan.base,
    plan: document(sealed),
    spec: plan.task.digest,
    git_state: document(state),
  };
}
