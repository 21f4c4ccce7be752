import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './run-command.ts';

export type SandboxName = 'bwrap' | 'unshare' | 'none';

/** What a sandboxed command may touch. */
export interface Confinement {
  /** Nothing else may be written with bwrap. */
  readonly writable: string;
  /** Folders that stay as they are: the repository and the worktree. */
  readonly readOnly: readonly string[];
  /** Home of the user, whose keys are hidden. */
  readonly home: string;
}

/** Puts a command into a sandbox. */
export interface Sandbox {
  readonly name: SandboxName;
  readonly wrap: (words: readonly string[], cwd: string) => string[];
}

/** What may hold keys and tokens in a home. */
const SECRETS = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.config/gh', '.config/git', '.config/gcloud', '.claude'],
  ...['.netrc', '.npmrc', '.pypirc', '.git-credentials', '.gitconfig', '.cargo/credentials', '.cargo/credentials.toml'],
];

const NONE: Sandbox = { name: 'none', wrap: (words) => [...words] };

/** The first sandbox that works on this machine; `none` if no tool is there, or it may not do its work. */
export async function findSandbox(
  confinement: Confinement,
  env: Readonly<Record<string, string>>,
  wanted: readonly SandboxName[],
): Promise<Sandbox> {
  const all = [bubblewrap(confinement), unshared(confinement)];
  for (const sandbox of all.filter((it) => wanted.includes(it.name))) {
    const [program = '', ...args] = sandbox.wrap(['true'], confinement.writable);
    const cwd = confinement.writable;
    const ended = await runCommand({ program, args, cwd, env, seconds: 10, mark: env['VADE_RUN'] ?? '' });
    if (ended.end === 'exit' && ended.code === 0) return sandbox;
  }
  return NONE;
}

/** https://github.com/containers/bubblewrap: everything is read-only but the folder of the run. */
function bubblewrap({ writable, home }: Confinement): Sandbox {
  const hidden = secretsIn(home).flatMap(({ path, isFolder }) =>
    isFolder ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path],
  );
  const base = ['--die-with-parent', '--new-session', '--unshare-pid', '--unshare-ipc', '--ro-bind', '/', '/'];
  const options = [...base, '--dev', '/dev', '--proc', '/proc', ...hidden, '--bind', writable, writable];
  return { name: 'bwrap', wrap: (words, cwd) => ['bwrap', ...options, '--chdir', cwd, '--', ...words] };
}

/** Each word that follows is bound over itself, read-only, or hidden. The rest of the words is the command. */
const SCRIPT = `
set -e
while [ "$1" != -- ]; do
  case "$1" in
    ro) mount --bind "$2" "$2"; mount -o remount,bind,ro "$2" ;;
    folder) mount -t tmpfs none "$2" ;;
    file) mount --bind /dev/null "$2" ;;
  esac
  shift 2
done
shift
exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all -- "$@"
`;

/** Namespaces of util-linux: the repository is read-only, keys are hidden, no process survives the command. */
function unshared({ readOnly, home }: Confinement): Sandbox {
  const spaces = ['--user', '--map-root-user', '--mount', '--pid', '--fork', '--kill-child=KILL', '--mount-proc'];
  const mounts = [
    ...readOnly.filter((it) => existsSync(it)).flatMap((it) => ['ro', it]),
    ...secretsIn(home).flatMap(({ path, isFolder }) => [isFolder ? 'folder' : 'file', path]),
  ];
  return {
    name: 'unshare',
    wrap: (words) => ['unshare', ...spaces, 'sh', '-c', SCRIPT, 'sh', ...mounts, '--', ...words],
  };
}

interface Secret {
  readonly path: string;
  readonly isFolder: boolean;
}

function secretsIn(home: string): Secret[] {
  return SECRETS.flatMap((name): Secret[] => {
    const path = join(home, name);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat?.isDirectory() || stat?.isFile() ? [{ path, isFolder: stat.isDirectory() }] : [];
  });
}
