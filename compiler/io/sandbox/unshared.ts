import { isInside } from '../git/git-process.ts';
import { mountOf, type Mount } from './mounts.ts';
import type { Confinement, SandboxPlace, Step } from './steps.ts';

/**
 * Makes a new root below `$1` as the other words say, goes there, and lets go of the old one. The shell stays: as the
 * first process it takes in those whose parents have ended.
 */
const SCRIPT = `
set -e
root=$1 user=$2 folder=$3
shift 3
own=$PATH
PATH=$PATH:/usr/sbin:/sbin
mount --rbind / "$root"
mount -t tmpfs -o nosuid,mode=0755 tmpfs "$root/dev"
mkdir "$root/dev/shm" "$root/dev/pts" "$root/dev/old"
for it in null zero full random urandom tty; do : > "$root/dev/$it"; mount --bind "/dev/$it" "$root/dev/$it"; done
mount -t tmpfs -o nosuid,nodev,mode=1777 tmpfs "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
for it in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/\${it%:*}" "$root/dev/\${it#*:}"; done
while [ "$1" != -- ]; do
  to=$root$3
  case "$1" in
    bind)
      if [ ! -e "$2" ]; then echo "$2 is gone" >&2; exit 1; fi
      if [ -d "$2" ]; then mkdir -p "$to"; elif [ ! -e "$to" ]; then mkdir -p "\${to%/*}"; : > "$to"; fi
      mount --rbind "$2" "$to" ;;
    tmpfs) mount -t tmpfs -o "nosuid,nodev,mode=$2" tmpfs "$to" ;;
    # one that cannot be made read-only is told by who looks from inside
    lock) mount -o "remount,bind,ro$2" "$to" 2>/dev/null || : ;;
  esac
  shift 3
done
shift
mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
# root would write what the whole machine obeys
for it in sys sysrq-trigger irq bus; do
  it=$root/proc/$it
  if [ "$user" = 0 ] && [ -e "$it" ]; then mount --bind "$it" "$it"; mount -o remount,bind,ro,nosuid,nodev,noexec,relatime "$it"; fi
done
ip link set lo up 2>/dev/null || :
cd "$root"
pivot_root . dev/old
umount -l /dev/old
rmdir /dev/old
mount -o remount,bind,ro,nosuid,relatime /dev
cd "$folder"
PATH=$own
"$@"
exit $?
`;

/** Namespaces of util-linux: the words before a command. */
export function unshared(
  steps: readonly Step[],
  { cwd }: SandboxPlace,
  { point, network }: Confinement,
  mounts: readonly Mount[],
): string[] {
  const spaces = ['--user', '--map-root-user', '--mount', '--pid', '--ipc', '--fork', '--kill-child=KILL'];
  return [
    ...['unshare', ...spaces, ...(network ? [] : ['--net']), 'sh', '-c', SCRIPT, 'sh'],
    ...[point, String(process.getuid?.() ?? 0), cwd],
    ...steps.flatMap(wordsOf),
    ...locksFor(steps, mounts).flatMap(({ path, flags }) => ['lock', flags.map((it) => `,${it}`).join(''), path]),
    '--',
  ];
}

function wordsOf(step: Step): string[] {
  switch (step.kind) {
    case 'bind':
      return ['bind', step.from, step.path];
    case 'blank':
      return ['bind', '/dev/null', step.path];
    case 'scratch':
      return ['tmpfs', '1777', step.path];
    case 'empty':
      return ['tmpfs', '0755', step.path];
  }
}

/** These are made anew. */
const OWN = ['/dev', '/proc'];

/** Mounts that are made read-only, each with the flags that it has: the kernel lets nobody remove them. */
function locksFor(steps: readonly Step[], mounts: readonly Mount[]): Pick<Mount, 'flags' | 'path'>[] {
  const stays = (path: string) => {
    const around = steps.filter((it) => isInside(path, it.path)).at(-1);
    if (OWN.some((it) => isInside(path, it))) return false;
    return around === undefined || (around.kind === 'bind' && !around.isWritable);
  };
  return [
    ...mounts.filter((it) => stays(it.path)),
    ...steps.flatMap((step) => {
      if (step.kind === 'empty') return [{ path: step.path, flags: ['nosuid', 'nodev', 'relatime'] }];
      const isLocked = step.kind === 'blank' || (step.kind === 'bind' && !step.isWritable);
      const from = step.kind === 'bind' ? step.from : '/dev/null';
      return isLocked ? [{ path: step.path, flags: mountOf(from, mounts)?.flags ?? [] }] : [];
    }),
  ];
}
