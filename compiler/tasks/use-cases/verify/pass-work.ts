import { mkdirSync, mkdtempSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { readObjects } from '../../../io/git/objects.ts';
import { runProcess } from '../../../io/process/run-process.ts';
import { closedPath } from '../../../io/programs/find-program.ts';
import { findSandbox, type Sandbox, type SandboxChoice } from '../../../io/sandbox/find-sandbox.ts';
import type { World } from '../../../world/world.ts';
import type { Pass, PassWork, Work } from '../../checks/check-module.ts';
import type { CommandEnd, CommandLine } from '../../checks/command.ts';
import { checkEnvironment } from '../../checks/environment.ts';
import type { FileChange } from '../../schema/snapshot.ts';
import { checkOut } from '../../worktree/merge.ts';
import type { PrivateGit } from '../../worktree/private-git.ts';
import { parseTree, shownPath, type Tracked } from '../../worktree/raw-path.ts';

/** A larger file is not handed to a check. */
const MAX_READ = 4 * 1024 * 1024;

/** The environment in which the commands of one run are started. */
export interface Bench {
  readonly git: PrivateGit;
  /** Folder of the run. */
  readonly folder: string;
  readonly sandbox: Sandbox;
  /** Most seconds of one command. */
  readonly seconds: number;
  /** Repository and worktrees: no program is run from there. */
  readonly avoid: readonly string[];
  /** The repository, which a command may read. */
  readonly readable: readonly string[];
  readonly mark: string;
}

/** The requested sandbox, and the files of the user that no test may read. */
export interface Boxing {
  readonly choice: SandboxChoice;
  /** Files, sockets and folders besides those of the home. */
  readonly hidden: readonly string[];
}

/** Variables of the user's environment that name files and folders of the checks' tools. */
const TOOLS = [
  'RUSTUP_HOME',
  'GOROOT',
  'JAVA_HOME',
  'PYENV_ROOT',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
];

/** Finds a sandbox in which even the git of the run is read-only. @throws work_unjudged without the wanted one */
export async function openBench(given: Omit<Bench, 'sandbox'>, boxing: Boxing, world: World): Promise<Bench> {
  const { folder } = given;
  const checkFolder = createCheckFolder(folder);
  const point = join(folder, 'root');
  mkdirSync(point);
  const confinement = {
    readable: [...given.readable, ...TOOLS.map((it) => world.env[it] ?? '')].filter((it) => isAbsolute(it)),
    home: world.env['HOME'] ?? '/nonexistent',
    hidden: boxing.hidden,
    point,
    network: true,
  };
  const env = environmentIn(given, checkFolder, false, world);
  const sandbox = await findSandbox(confinement, env, boxing.choice, { cwd: checkFolder, writable: [checkFolder] });
  return { ...given, sandbox };
}

/** Makes the place of the commands of one check. @returns its folder; the tree is checked out below it */
function createCheckFolder(folder: string): string {
  const checkFolder = mkdtempSync(join(folder, 'check-'));
  for (const it of ['home', 'tmp']) mkdirSync(join(checkFolder, it));
  return checkFolder;
}

function environmentIn(
  { folder, avoid, mark }: Omit<Bench, 'sandbox'>,
  checkFolder: string,
  fetches: boolean,
  world: World,
) {
  const places = { run: folder, home: join(checkFolder, 'home'), temporary: join(checkFolder, 'tmp'), avoid };
  const env = { ...world.env, PATH: closedPath(world.env['PATH']) };
  return checkEnvironment(env, places, fetches, mark);
}

/** The subject of one pass: a tree, its origin, and the differences between the two. */
export interface PassTrees {
  readonly pass: Pass;
  /** Commit or tree. */
  readonly from: string;
  readonly tree: string;
  readonly changes: readonly FileChange[];
}

/**
 * The work that checks may look at in one pass; the tree is checked out when the first command of a check asks for it.
 */
export function passWork(
  { pass, from, tree, changes }: PassTrees,
  about: Pick<Work, 'agent_id' | 'git' | 'report' | 'task'>,
  bench: Bench,
  world: World,
): PassWork {
  const { git } = bench;
  const [before, after] = [from, tree].map((it) => once(() => listTree(git, it)));
  const readIn = (entries: typeof after) => async (path: string) => readEntry(git, (await entries?.())?.get(path));
  return {
    ...about,
    pass,
    changes,
    files: async () => [...((await after?.())?.keys() ?? [])],
    read: readIn(after),
    readBefore: readIn(before),
    commands: () => {
      const checkFolder = once(() => checkedOut(bench, tree));
      return async (line) => start(line, await checkFolder(), bench, world);
    },
  };
}

const FILES = 'files';

/** A place for commands, with the files of a tree. */
async function checkedOut({ git, folder }: Bench, tree: string): Promise<string> {
  const checkFolder = createCheckFolder(folder);
  await checkOut(git, tree, join(checkFolder, FILES));
  return checkFolder;
}

async function start(line: CommandLine, checkFolder: string, bench: Bench, world: World): Promise<CommandEnd> {
  const { sandbox, seconds, mark } = bench;
  const cwd = join(checkFolder, FILES, line.folder);
  const [program = '', ...args] = sandbox.wrap([line.program, ...line.args], { cwd, writable: [checkFolder] });
  const env = { ...environmentIn(bench, checkFolder, line.fetches, world), ...line.env };
  const ended = await runProcess({ program, args, cwd, env, seconds, mark });
  if (ended.end === 'not_started') return ended;
  return { ...ended, stdout: ended.stdout.toString('utf8'), stderr: ended.stderr.toString('utf8') };
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
