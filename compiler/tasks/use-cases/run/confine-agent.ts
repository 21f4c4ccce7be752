import { join, resolve } from 'node:path';
import { realDisk } from '../../../capabilities/paths/disk.ts';
import { matchesPath } from '../../../capabilities/paths/patterns.ts';
import { realPath } from '../../../capabilities/paths/real-path.ts';
import type { StateFolder } from '../../../capabilities/use-cases/state-folder.ts';
import { closedPath, type FoundProgram } from '../../../io/programs/find-program.ts';
import { gateProgram } from '../../../io/programs/gate-file.ts';
import { findSandbox, type Sandbox, type SandboxChoice } from '../../../io/sandbox/find-sandbox.ts';
import { programPlace } from '../../../io/sandbox/homes.ts';
import type { Bind } from '../../../io/sandbox/steps.ts';
import type { ResolvedRole } from '../../../schema/capability/resolved-role.ts';
import { VadeError } from '../../../schema/errors.ts';
import type { Arguments } from '../../../world/flags/flag.ts';
import type { World } from '../../../world/world.ts';
import type { TASK_RUN } from '../flags.ts';
import { hiddenState } from '../hidden-state.ts';
import { bindsWithoutRemotes, foldersWithRemotes } from './hidden-remotes.ts';
import { protectedIn, overFor, writableIn, type RunFolders } from './run-folders.ts';
import { foldersOf, whitelistBinds, type FileLists } from './whitelist-binds.ts';

type RunFlags = Pick<Arguments<typeof TASK_RUN>, 'confine' | 'key' | 'network'>;

/** The confinement of an agent; part of the answer of the run. */
export interface Confined {
  readonly form: Sandbox['name'];
  readonly network: 'host' | 'none';
  /** The gaps of the confinement. */
  readonly missing: readonly string[];
  /** Resources that a confined agent reaches all the same. */
  readonly reached: readonly string[];
}

/** A sandbox that is known to work. */
export interface AgentBox {
  readonly folders: RunFolders;
  readonly sandbox: Sandbox;
  readonly told: Confined;
  readonly over: readonly Bind[];
  readonly lists: FileLists;
}

/**
 * Finds the confinement of an agent.
 *
 * @throws work_unjudged if it is required and cannot be had; argument_invalid for a network that only confinement takes
 *   away
 */
export async function boxAgent(
  folders: RunFolders,
  lists: FileLists,
  place: StateFolder,
  flags: RunFlags,
  found: FoundProgram,
  world: World,
): Promise<AgentBox> {
  const { confine, network } = flags;
  if (confine === 'none' && network === 'none') {
    const message = 'only a confined program can be started without the network: remove --confine none';
    throw new VadeError('argument_invalid', message, { flag: 'network' });
  }
  const choice: SandboxChoice = network === 'none' ? 'required' : confine;
  const env = { PATH: agentPath(found, place) };
  const home = world.env['HOME'] ?? '/nonexistent';
  const confinement = {
    home,
    readable: readableFor(place, found, home),
    hidden: hiddenFrom(place, flags, world),
    point: folders.point,
    network: network === 'host',
  };
  const config = choice === 'none' ? [] : await bindsWithoutRemotes(place.repository.common, folders.config);
  const over = [...overFor(folders, place.tasks), ...config];
  const sandbox = await findSandbox(confinement, env, choice, {
    cwd: folders.home,
    writable: writableIn(folders),
    over,
  });
  return { folders, sandbox, told: toldOf(sandbox, flags), over, lists };
}

/** Without folders of PATH that another agent may have written. */
export function agentPath({ path }: FoundProgram, { worktrees }: Pick<StateFolder, 'worktrees'>): string {
  const isForeign = (it: string) => it === worktrees || it.startsWith(`${worktrees}/`);
  return closedPath(
    path
      .split(':')
      .filter((it) => !isForeign(it))
      .join(':'),
  );
}

/** The repository, the program and the files with which the gate is started. */
function readableFor({ repository }: StateFolder, { program }: FoundProgram, home: string): string[] {
  const { node, gate } = gateProgram();
  const files = [program, realPath(program, realDisk), node, gate];
  return [repository.top, repository.common, ...files.map((it) => programPlace(it, home))];
}

/** Other worktrees, addresses of other repositories, and keys. */
function hiddenFrom(place: StateFolder, { key }: RunFlags, world: World): string[] {
  const keys = key === undefined ? [] : [realPath(resolve(world.cwd, key), realDisk)];
  return [...hiddenState(place, world), ...foldersWithRemotes(place.repository.common), ...keys];
}

function toldOf({ name, left, reached, why }: Sandbox, { confine, network }: RunFlags): Confined {
  if (name === 'none') {
    const causes = confine === 'none' ? ['--confine none'] : why;
    const missing = [`the program is not confined and has all your permissions: ${causes.join('; ')}`];
    return { form: name, network: 'host', missing, reached: [] };
  }
  const missing = left.map((it) => `${it} stays writable: this mount cannot be made read-only`);
  const open = 'the network, with what listens on loopback and on abstract sockets of this machine';
  return { form: name, network, missing, reached: [...(network === 'host' ? [open] : []), ...reached] };
}

/** Refuses, before it starts, a role that may commit: a confined agent cannot. @throws argument_invalid */
export function assertCommitsNothing({ told }: AgentBox, role: ResolvedRole): void {
  if (told.form === 'none' || !mayCommit(role)) return;
  const message = `.git is read-only for a confined agent: git status and diff work, add and stash fail, and ${role.role} has no policy::no-git-ops`;
  const suggestion = 'give the role that atom, or run it with --confine none';
  throw new VadeError('argument_invalid', message, { flag: 'confine', suggestion });
}

/**
 * Whether no part of a role stops its agent from `git add`: neither the atom, nor its tools, nor its list of commands.
 */
function mayCommit({ gates, tools, shell }: ResolvedRole): boolean {
  const isBarred = gates.some((it) => it.atom === 'policy::no-git-ops') || tools.denied.includes('Bash');
  const hasShell = tools.allowed.length === 0 || tools.allowed.some((it) => it === 'Bash' || it === '*');
  const isListed = shell.allowed.length === 0 || shell.allowed.some((it) => new RegExp(it).test('git add x'));
  return hasShell && isListed && !isBarred;
}

/**
 * The confinement in a worktree, with what it holds of the task's lists and what it does not.
 *
 * @param worktree null before it is made: then only the gaps that every worktree has are known
 */
export function holdLists(box: AgentBox, worktree: string | null): AgentBox {
  if (box.sandbox.name === 'none') return box;
  const { binds, missing } = whitelistBinds(box.lists, worktree === null ? () => [] : foldersOf(worktree));
  const told = { ...box.told, missing: [...box.told.missing, ...missing] };
  if (worktree === null) return { ...box, told };
  const held = binds.map(({ path, isWritable }) => ({
    path: join(worktree, path),
    from: join(worktree, path),
    isWritable,
  }));
  return { ...box, told, over: [...box.over, ...strictest([...held, ...protectedIn(worktree)])] };
}

/** Of two binds at a path the one that is read-only. */
function strictest(binds: readonly Bind[]): Bind[] {
  const byPath = new Map<string, Bind>();
  for (const it of binds) if (byPath.get(it.path)?.isWritable !== false) byPath.set(it.path, it);
  return [...byPath.values()];
}

/** With it npm adds a package to `node_modules` alone, where the task does not list the manifest. */
export function packageSettings({ listed }: FileLists): Record<string, string> {
  const mayWrite = listed === null || listed.length === 0 || matchesPath('package.json', listed);
  return mayWrite ? {} : { npm_config_save: 'false' };
}

/** Words that start a program as an agent in its worktree. */
export function confinedWords({ folders, sandbox, over }: AgentBox, words: readonly string[], cwd: string): string[] {
  return sandbox.wrap(words, { cwd, writable: [cwd, ...writableIn(folders)], over });
}
