import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readObjects } from '../../io/git/objects.ts';
import { runCommand } from '../../io/process/run-command.ts';
import { findSandbox, type Sandbox, type SandboxName } from '../../io/process/sandbox.ts';
import { checkOut } from '../../io/worktree/merge.ts';
import type { PrivateGit } from '../../io/worktree/private-git.ts';
import { parseTree, shownPath, type Tracked } from '../../io/worktree/raw-path.ts';
import type { FileChange } from '../../schema/task/snapshot.ts';
import type { Pass, Work } from '../../tasks/checks/check-module.ts';
import type { CommandEnd, CommandLine } from '../../tasks/checks/command.ts';
import { checkEnvironment } from '../../tasks/checks/environment.ts';
import type { World } from '../world/world.ts';

/** A larger file is not handed to a check. */
const MAX_READ = 4 * 1024 * 1024;

/** Where and how the commands of one run are started. */
export interface Bench {
  readonly git: PrivateGit;
  /** Folder of the run. */
  readonly folder: string;
  readonly sandbox: Sandbox;
  /** Most seconds of one command. */
  readonly seconds: number;
  /** Repository and worktree: no program is run from there. */
  readonly avoid: readonly string[];
  readonly mark: string;
}

/** Makes the folders of a run, and finds a sandbox. */
export async function openBench(
  given: Omit<Bench, 'sandbox'>,
  wanted: readonly SandboxName[],
  world: World,
): Promise<Bench> {
  const { folder, avoid, mark } = given;
  for (const it of ['home', 'tmp']) mkdirSync(join(folder, it));
  const confinement = { writable: folder, readOnly: avoid, home: world.env['HOME'] ?? '/nonexistent' };
  const env = environmentIn(given, false, world);
  const sandbox = await findSandbox(confinement, { ...env, VADE_RUN: mark }, wanted);
  return { ...given, sandbox };
}

function environmentIn({ folder, avoid, mark }: Omit<Bench, 'sandbox'>, fetches: boolean, world: World) {
  const places = { run: folder, home: join(folder, 'home'), temporary: join(folder, 'tmp'), avoid };
  return checkEnvironment(world.env, places, fetches, mark);
}

/** What one pass is about: a tree, what it came from, and what differs. */
export interface PassTrees {
  readonly pass: Pass;
  /** Commit or tree. */
  readonly from: string;
  readonly tree: string;
  readonly changes: readonly FileChange[];
}

/** What checks may look at in one pass; the tree is checked out when the first command asks for it. */
export function passWork(
  { pass, from, tree, changes }: PassTrees,
  about: Pick<Work, 'agent_id' | 'git' | 'report' | 'task'>,
  bench: Bench,
  world: World,
): Work {
  const { git, folder } = bench;
  const [before, after] = [from, tree].map((it) => once(() => listTree(git, it)));
  const out = join(folder, pass);
  const checkedOut = once(() => checkOut(git, tree, out));
  const readIn = (entries: typeof after) => async (path: string) => readEntry(git, (await entries?.())?.get(path));
  return {
    ...about,
    pass,
    changes,
    files: async () => [...((await after?.())?.keys() ?? [])],
    read: readIn(after),
    readBefore: readIn(before),
    run: async (line) => {
      await checkedOut();
      return start(line, out, bench, world);
    },
  };
}

function start(line: CommandLine, out: string, bench: Bench, world: World): Promise<CommandEnd> {
  const { sandbox, seconds, mark } = bench;
  const cwd = join(out, line.folder);
  const [program = '', ...args] = sandbox.wrap([line.program, ...line.args], cwd);
  const env = { ...environmentIn(bench, line.fetches, world), ...line.env };
  return runCommand({ program, args, cwd, env, seconds, mark });
}

/** Files of a tree by their paths for lists; one whose name no list can match is known by how it is shown. */
async function listTree(git: PrivateGit, tree: string): Promise<Map<string, Tracked>> {
  const found = parseTree(await git.run(['ls-tree', '-r', '-z', '-l', '--full-tree', tree]));
  return new Map([...found].map(([path, entry]) => [shownPath(path), entry]));
}

async function readEntry(git: PrivateGit, entry: Tracked | undefined): Promise<Buffer | null> {
  if (entry === undefined || !entry.mode.startsWith('100')) return null;
  return (await readObjects(git, 'blob', [entry.id], MAX_READ)).get(entry.id) ?? null;
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | null = null;
  return () => (known ??= work());
}
