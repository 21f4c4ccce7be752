import { existsSync } from 'node:fs';
import type { Confinement, SandboxPlace, Step } from './steps.ts';

/** Root would write there what the whole machine obeys. */
const OBEYED = ['sys', 'sysrq-trigger', 'irq', 'bus'].map((it) => `/proc/${it}`);

/**
 * https://github.com/containers/bubblewrap: the words before a command. Root too gets a user namespace and loses its
 * capabilities, else it could mount and unmount; one is left, with which it maps its own id again.
 */
export function bubblewrap(steps: readonly Step[], { cwd }: SandboxPlace, { network }: Confinement): string[] {
  const isRoot = process.getuid?.() === 0;
  return [
    ...['bwrap', '--die-with-parent', '--new-session', '--unshare-user', '--unshare-pid', '--unshare-ipc'],
    ...(network ? [] : ['--unshare-net']),
    ...['--cap-drop', 'ALL', ...(isRoot ? ['--cap-add', 'CAP_SETFCAP'] : [])],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...OBEYED.filter((it) => isRoot && existsSync(it)).flatMap((it) => ['--ro-bind', it, it]),
    ...steps.flatMap(optionsOf),
    ...steps.flatMap((it) => (it.kind === 'empty' ? ['--remount-ro', it.path] : [])),
    ...['--chdir', cwd, '--'],
  ];
}

function optionsOf(step: Step): string[] {
  switch (step.kind) {
    case 'bind':
      return [step.isWritable ? '--bind' : '--ro-bind', step.from, step.path];
    case 'blank':
      return ['--ro-bind', '/dev/null', step.path];
    case 'scratch':
      return ['--perms', '1777', '--tmpfs', step.path];
    case 'empty':
      return ['--perms', '0755', '--tmpfs', step.path];
  }
}
