import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { VadeError } from '../../schema/errors.ts';
import { runProcess } from './run-process.ts';

type SandboxName = 'bwrap' | 'unshare' | 'none';

/** `auto`: the first that this machine has, if it has any. */
export type SandboxChoice = SandboxName | 'auto';

/** What a sandboxed command may not touch. */
export interface Confinement {
  /** Folders that stay as they are besides the home: the repository, the worktree. With bwrap all others do too. */
  readonly readOnly: readonly string[];
  /** Home of the user, whose keys are hidden. */
  readonly home: string;
  /** Files and sockets that are hidden too. */
  readonly hidden: readonly string[];
}

/** Where a command runs, and the one folder that it may write; that is inside of no folder that is hidden. */
interface Place {
  readonly cwd: string;
  readonly writable: string;
}

/** Puts a command into a sandbox. */
export interface Sandbox {
  readonly name: SandboxName;
  readonly wrap: (words: readonly string[], place: Place) => string[];
}

/** What may hold keys and tokens in a home. */
const SECRETS = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.config/gh', '.config/git', '.config/gcloud', '.claude'],
  ...['.netrc', '.npmrc', '.pypirc', '.git-credentials', '.gitconfig', '.cargo/credentials', '.cargo/credentials.toml'],
];

/** Who can talk to these acts as the person, or as root. */
const SOCKETS = [`/run/user/${process.getuid?.() ?? 0}`, '/run/docker.sock', '/run/podman/podman.sock'];

const NONE: Sandbox = { name: 'none', wrap: (words) => [...words] };

/**
 * Tries the sandbox that is wanted. With `auto` it is the first that works on this machine: `none` if no tool is there, or
 * may do its work.
 *
 * @param probe a folder that a command may write
 * @throws work_unjudged if one is named that does not work: nobody asked for less
 */
export async function findSandbox(
  confinement: Confinement,
  env: Readonly<Record<string, string>>,
  choice: SandboxChoice,
  probe: string,
): Promise<Sandbox> {
  const all = [bubblewrap(confinement), unshared(confinement)];
  const tried = all.filter((it) => choice === 'auto' || it.name === choice);
  for (const sandbox of tried) {
    const [program = '', ...args] = sandbox.wrap(['true'], { cwd: probe, writable: probe });
    const ended = await runProcess({ program, args, cwd: probe, env, seconds: 10, mark: env['VADE_RUN'] ?? '' });
    if (ended.end === 'exit' && ended.code === 0) return sandbox;
    if (choice === 'auto') continue;
    const why = 'why' in ended ? ended.why : ended.stderr.toString('utf8').trim();
    const suggestion = '--sandbox auto takes what this machine has, and its report says which';
    throw new VadeError('work_unjudged', `${choice} does not work on this machine: ${why}`, { suggestion });
  }
  return NONE;
}

/** https://github.com/containers/bubblewrap: everything is read-only but one folder. */
function bubblewrap(confinement: Confinement): Sandbox {
  const hidden = secretsOf(confinement).flatMap(({ path, isFolder }) =>
    isFolder ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path],
  );
  const base = ['--die-with-parent', '--new-session', '--unshare-pid', '--unshare-ipc', '--ro-bind', '/', '/'];
  const options = [...base, '--dev', '/dev', '--proc', '/proc', ...hidden];
  return {
    name: 'bwrap',
    wrap: (words, { cwd, writable }) => [
      ...['bwrap', ...options, '--bind', writable, writable, '--chdir', cwd, '--'],
      ...words,
    ],
  };
}

/**
 * Each pair of words that follows says what is bound over itself, or hidden. The rest of the words is the command; it goes
 * to its folder once more, by the mounts that were made since.
 */
const SCRIPT = `
set -e
while [ "$1" != -- ]; do
  case "$1" in
    ro|rw) mount --bind "$2" "$2"; mount -o "remount,bind,$1" "$2" ;;
    folder) mount -t tmpfs none "$2" ;;
    file) mount --bind /dev/null "$2" ;;
  esac
  shift 2
done
shift
cd "$PWD"
exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all -- "$@"
`;

/** Namespaces of util-linux: repository and home are read-only, keys are hidden, no process survives the command. */
function unshared(confinement: Confinement): Sandbox {
  const spaces = ['--user', '--map-root-user', '--mount', '--pid', '--fork', '--kill-child=KILL', '--mount-proc'];
  const mounts = [
    ...[confinement.home, ...confinement.readOnly].filter((it) => existsSync(it)).flatMap((it) => ['ro', it]),
    ...secretsOf(confinement).flatMap(({ path, isFolder }) => [isFolder ? 'folder' : 'file', path]),
  ];
  return {
    name: 'unshare',
    wrap: (words, { writable }) => [
      ...['unshare', ...spaces, 'sh', '-c', SCRIPT, 'sh', ...mounts, 'rw', writable, '--'],
      ...words,
    ],
  };
}

interface Secret {
  readonly path: string;
  readonly isFolder: boolean;
}

function secretsOf({ home, hidden }: Confinement): Secret[] {
  const paths = [...SECRETS.map((name) => join(home, name)), ...SOCKETS, ...hidden];
  return paths.flatMap((path): Secret[] => {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    const isFolder = stat?.isDirectory() === true;
    return isFolder || stat?.isFile() || stat?.isSocket() ? [{ path, isFolder }] : [];
  });
}
