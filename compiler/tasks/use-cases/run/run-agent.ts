import { createPublicKey } from 'node:crypto';
import { basename, join } from 'node:path';
import { ORCHESTRATOR_FILE, ROOT_FILE } from '../../../capabilities/gate/disk-store.ts';
import { hookFor } from '../../../capabilities/hooks/hook-command.ts';
import { withHook } from '../../../capabilities/hooks/host-settings.ts';
import { stateFolder, type StateFolder } from '../../../capabilities/use-cases/state-folder.ts';
import { writeSettings } from '../../../hosts/settings-text.ts';
import { replaceFile } from '../../../io/files/durable.ts';
import { readIfThere } from '../../../io/files/file.ts';
import { atExit } from '../../../io/process/at-exit.ts';
import { findProgram, type FoundProgram } from '../../../io/programs/find-program.ts';
import { gateProgram } from '../../../io/programs/gate-file.ts';
import { MAX_ENVELOPE_BYTES } from '../../../schema/bundle/bundle.ts';
import { VadeError } from '../../../schema/errors.ts';
import { sha256 } from '../../../trust/canonical.ts';
import { keyId } from '../../../trust/public-key.ts';
import type { Arguments } from '../../../world/flags/flag.ts';
import { orchestratorKey } from '../../../world/trust-keys.ts';
import type { World } from '../../../world/world.ts';
import { agentEnvironment, holdsPassword } from '../../agent-environment.ts';
import { escalationsIn, type Escalated } from '../../escalation.ts';
import { clearRights, type ClearedRights } from '../../worktree/clear-rights.ts';
import { runFolder } from '../../worktree/run-folder.ts';
import { composeToFile, type Composed } from '../compose-task.ts';
import type { TASK_RUN } from '../flags.ts';
import { noteRepository } from '../note-repository.ts';
import { spawnAgent, type Spawned } from '../spawn-agent.ts';
import { runAgentProcess, type AgentEnd } from './agent-process.ts';
import {
  agentPath,
  assertCommitsNothing,
  boxAgent,
  confinedWords,
  holdLists,
  packageSettings,
  type AgentBox,
  type Confined,
} from './confine-agent.ts';
import { fillGate, keepAdvice, createRunFolders } from './run-folders.ts';
import { fileLists } from './whitelist-binds.ts';

export type RunFlags = Arguments<typeof TASK_RUN>;

/** The plan and the confinement with which a run would begin. */
export interface PlannedRun {
  readonly plan: Composed['plan'];
  readonly confinement: Confined;
  readonly warnings: Spawned['warnings'];
}

/** Composes without writing, and asks everything that could refuse the run. @throws as `runAgent` */
export async function planRun(flags: RunFlags, world: World): Promise<PlannedRun> {
  const place = await assertRunnable(flags, world);
  return inRunFolder(async (folder) => {
    const { composed, box } = await prepare(folder, place, flags, world);
    const told = composed.warnings.map((it) => ({ code: it.rule.toUpperCase(), message: it.message }));
    const confinement = holdLists(box, null).told;
    return { plan: composed.plan, confinement, warnings: [...told, ...passwordWarning(box, place)] };
  });
}

/** An agent that ran, and what it left. */
export interface AgentRun {
  readonly spawned: Spawned;
  readonly end: AgentEnd;
  /** File of its output; absolute. */
  readonly report: string;
  readonly cleared: ClearedRights;
  readonly escalations: readonly Escalated[];
  readonly confinement: Confined;
  readonly warnings: Spawned['warnings'];
}

/**
 * Composes, spawns, starts the agent's program in its worktree and waits for it. The prompt is its standard input, its
 * report what it prints. It has an empty home, whose only settings are the gate's hook, no credentials, and is confined
 * if it can be.
 *
 * @throws as `spawnAgent`, `boxAgent`; hooks_unsound if no gate is installed; argument_invalid
 */
export async function runAgent(flags: RunFlags, world: World): Promise<AgentRun> {
  const place = await assertRunnable(flags, world);
  return inRunFolder(async (folder) => {
    const { box } = await prepare(folder, place, flags, world);
    for (const it of box.told.missing) world.say(it);
    return runIn(box, basename(folder), place, flags, world);
  });
}

/** @throws as `boxAgent`; argument_invalid for a role that may commit */
async function prepare(folder: string, place: StateFolder, flags: RunFlags, world: World) {
  const composed = await composeToFile({ ...flags, 'dry-run': true }, world);
  const lists = fileLists(composed.role, composed.plan.parameters);
  const found = programOf(flags, place, world);
  const box = await boxAgent(createRunFolders(folder), lists, place, flags, found, world);
  assertCommitsNothing(box, composed.role);
  return { composed, box };
}

async function inRunFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const run = runFolder();
  try {
    return await work(run.path);
  } finally {
    run.remove();
  }
}

async function runIn(
  box: AgentBox,
  mark: string,
  place: StateFolder,
  flags: RunFlags,
  world: World,
): Promise<AgentRun> {
  await composeToFile({ ...flags, 'dry-run': false }, world);
  const spawned = await spawnAgent({ ...flags, 'dry-run': false }, world);
  const { agent_id, task } = spawned.plan;
  world.say(`${agent_id} works in ${spawned.plan.worktree}`);
  const held = holdLists(box, spawned.plan.worktree);
  for (const it of held.told.missing.slice(box.told.missing.length)) world.say(it);
  const { end, cleared } = await startIn(held, mark, place, spawned, flags, world);
  const report = join(place.repository.top, 'tasks', task.id, `report-${agent_id}.md`);
  replaceFile(report, end.output);
  return {
    spawned,
    end,
    report,
    cleared,
    escalations: escalationsIn(end.output.toString('utf8')),
    confinement: held.told,
    warnings: [...spawned.warnings, ...passwordWarning(box, place)],
  };
}

/** Everything that can be refused is refused before anything is made. */
async function assertRunnable(flags: RunFlags, world: World): Promise<StateFolder> {
  const place = await stateFolder(flags.repo, flags.worktrees, world);
  noteRepository(place, world);
  agentEnvironment({ agent: 'none', home: '/', temporary: '/', pass: flags.pass }, world.env);
  programOf(flags, place, world);
  orchestratorKey(flags.key, world);
  assertPinned(place);
  return place;
}

function programOf({ program }: RunFlags, { repository }: StateFolder, { env }: World): FoundProgram {
  const found = findProgram(program, env['PATH'], repository.top);
  if (found !== null) return found;
  const message = `${program} is neither an absolute path nor a program in PATH; folders of the repository do not count`;
  throw new VadeError('argument_invalid', message, { flag: 'program' });
}

async function startIn(
  box: AgentBox,
  mark: string,
  place: StateFolder,
  { plan, call }: Spawned,
  flags: RunFlags,
  world: World,
): Promise<Pick<AgentRun, 'cleared' | 'end'>> {
  const { home, temporary } = box.folders;
  const { agent_id: agent, worktree: cwd } = plan;
  writeHook(home, place);
  fillGate(box.folders, place.tasks, agent, cwd);
  const found = programOf(flags, place, world);
  const [program = '', ...args] = confinedWords(box, [found.program, ...flags.argument], cwd);
  // an interrupted run leaves no such file either: its program is ended first
  const forget = atExit(() => clearRights(cwd));
  const end = await runAgentProcess({
    program,
    path: agentPath(found, place),
    args,
    cwd,
    env: {
      ...agentEnvironment({ agent, home, temporary, pass: flags.pass }, world.env),
      ...packageSettings(box.lists),
    },
    mark,
    input: Buffer.from(call.input.prompt),
    seconds: flags.timeout * 60,
  }).finally(forget);
  keepAdvice(box.folders, place.tasks, agent);
  return { end, cleared: clearRights(cwd) };
}

function assertPinned({ tasks }: StateFolder): void {
  const isThere = [ORCHESTRATOR_FILE, ROOT_FILE].every(
    (it) => readIfThere(join(tasks, it), MAX_ENVELOPE_BYTES, 'refuse') !== null,
  );
  if (isThere) return;
  const suggestion = 'vade capability install';
  throw new VadeError('hooks_unsound', 'no gate is installed, so nothing would stop the agent', { suggestion });
}

/** Writes the hook into the agent's home, which does not have the user's own settings. */
function writeHook(home: string, { tasks, worktrees }: StateFolder): void {
  const pinned = (file: string) => readIfThere(join(tasks, file), MAX_ENVELOPE_BYTES, 'refuse') ?? Buffer.alloc(0);
  const settings = join(home, '.claude', 'settings.json');
  const key = keyId(createPublicKey(pinned(ORCHESTRATOR_FILE)));
  const hook = hookFor({ ...gateProgram(), tasks, worktrees, settings, key, root: sha256(pinned(ROOT_FILE)) });
  replaceFile(settings, writeSettings(withHook({}, hook), ''), { folders: true });
}

const MAX_CONFIG = 1024 * 1024;

function passwordWarning({ told }: AgentBox, { repository }: StateFolder): Spawned['warnings'] {
  if (told.form !== 'none') return [];
  const config = readIfThere(join(repository.common, 'config'), MAX_CONFIG, 'refuse')?.toString('utf8') ?? '';
  if (!holdsPassword(config)) return [];
  const message = 'the configuration of the repository contains a password or a token, which the agent can read';
  return [{ code: 'CREDENTIALS_IN_REMOTE', message }];
}
