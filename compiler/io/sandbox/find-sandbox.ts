import { existsSync } from 'node:fs';
import { VadeError } from '../../schema/errors.ts';
import { isInside } from '../git/git-process.ts';
import { runProcess } from '../process/run-process.ts';
import { ownMounts, readMounts } from './mounts.ts';
import {
  scratchFolders,
  stepsFor,
  viewOf,
  type Confinement,
  type SandboxPlace,
  type Step,
  type View,
} from './steps.ts';
import { unshared } from './unshared.ts';

type SandboxName = 'bwrap' | 'unshare' | 'none';

/** `auto`: the first that this machine has, if it has any; `required`: the first, and not without one. */
export type SandboxChoice = SandboxName | 'auto' | 'required';

/** Puts a command into a sandbox. */
export interface Sandbox {
  readonly name: SandboxName;
  /** Mounts that stay writable though nothing names them. */
  readonly left: readonly string[];
  /** Files that a command in it reaches all the same. */
  readonly reached: readonly string[];
  /** Why there is none. */
  readonly why: readonly string[];
  readonly wrap: (words: readonly string[], place: SandboxPlace) => string[];
}

/**
 * Tries the sandbox that is wanted, and looks from inside at what can be written. With `auto` it is the first that
 * works on this machine: `none` if no tool is there, or may do its work.
 *
 * @param probe a place whose folders are there
 * @throws work_unjudged if one is wanted that does not work: nobody asked for less
 */
export async function findSandbox(
  confinement: Confinement,
  env: Readonly<Record<string, string>>,
  choice: SandboxChoice,
  probe: SandboxPlace,
): Promise<Sandbox> {
  if (choice === 'none') return unconfined([]);
  const why: string[] = [];
  const view = viewOf(confinement, env['PATH'] ?? '');
  for (const name of ['bwrap', 'unshare'] as const) {
    if (choice !== name && choice !== 'auto' && choice !== 'required') continue;
    const wrap = wrapperOf(name, confinement, view);
    const tried = await tryOut(wrap, env, probe);
    if (typeof tried === 'string') why.push(`${name}: ${tried}`);
    else if (tried.length === 0 || choice !== 'required')
      return { name, left: tried, reached: reachedIn(view), why: [], wrap };
    else why.push(`${name}: ${tried.join(', ')} would stay writable`);
  }
  if (choice === 'auto') return unconfined(why);
  const suggestion =
    'install bubblewrap, or allow user namespaces; --sandbox auto uses what this machine has, and reports which';
  throw new VadeError('work_unjudged', `${choice}: no sandbox works on this machine: ${why.join('; ')}`, {
    suggestion,
  });
}

function unconfined(why: readonly string[]): Sandbox {
  return { name: 'none', left: [], reached: [], why, wrap: (words) => [...words] };
}

/** Sockets and pipes are hidden as they are found, before the start. */
function reachedIn({ unsearched }: View): string[] {
  const late = 'a socket or named pipe that a program makes after the start in a folder that is shown';
  if (unsearched.length === 0) return [late];
  const places = unsearched.slice(0, MOST_NAMED).join(', ');
  const more = unsearched.length > MOST_NAMED ? `, and ${unsearched.length - MOST_NAMED} more folders` : '';
  return [late, `a socket or named pipe in a part of ${places}${more} that could not be searched within a second`];
}

const MOST_NAMED = 5;

function wrapperOf(name: 'bwrap' | 'unshare', confinement: Confinement, view: View): Sandbox['wrap'] {
  const mounts = ownMounts();
  return (words, place) => {
    const steps = stepsFor(view, place);
    const before =
      name === 'bwrap' ? bubblewrap(steps, place, confinement) : unshared(steps, place, confinement, mounts);
    return [...before, ...asUser(), ...words];
  };
}

/** Root would write there what the whole machine obeys. */
const OBEYED = ['sys', 'sysrq-trigger', 'irq', 'bus'].map((it) => `/proc/${it}`);

/**
 * https://github.com/containers/bubblewrap: the words before a command. Root too gets a user namespace and loses its
 * capabilities, else it could mount and unmount; one is left, with which it maps its own id again.
 */
function bubblewrap(steps: readonly Step[], { cwd }: SandboxPlace, { network }: Confinement): string[] {
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

/**
 * The command has the user's own id, in a namespace inside of the one that owns the mounts and the first process: it
 * can undo no mount, and neither stop nor read that process. No new privileges suffice for others than root, who may
 * drop none; root needs one capability for namespaces of its own.
 */
function asUser(): string[] {
  const [user, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const bounds = user === 0 ? ['--bounding-set=-all,+setfcap'] : [];
  return [
    ...['unshare', '--user', `--map-user=${user}`, `--map-group=${group}`, '--'],
    ...['setpriv', '--no-new-privs', '--inh-caps=-all', ...bounds, '--'],
  ];
}

/** @returns the mounts that stay writable, or why it does not work */
async function tryOut(
  wrap: Sandbox['wrap'],
  env: Readonly<Record<string, string>>,
  place: SandboxPlace,
): Promise<string[] | string> {
  const [program = '', ...args] = wrap(['cat', '/proc/self/mountinfo'], place);
  const ended = await runProcess({ program, args, cwd: place.cwd, env, seconds: 10, mark: env['VADE_RUN'] ?? '' });
  if (ended.end === 'not_started') return ended.why;
  if (ended.end !== 'exit' || ended.code !== 0) return ended.stderr.toString('utf8').trim() || ended.end;
  const own = [...place.writable, ...(place.over ?? []).flatMap((it) => (it.isWritable ? [it.path] : []))];
  const free = [...own, ...scratchFolders(), '/dev', '/proc'];
  const left = readMounts(ended.stdout.toString('utf8')).filter((it) => it.isWritable);
  return left.map((it) => it.path).filter((it) => !free.some((folder) => isInside(it, folder)));
}
