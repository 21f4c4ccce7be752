import type { Json } from '../../hosts/json-values.ts';
import { matchesPattern } from '../atoms/pattern-match.ts';
import type { HookFault } from '../schema/hook-report.ts';
import {
  hookFor,
  readHookCommand,
  readWorktreeCommand,
  tasksOfCommand,
  worktreeHookFor,
  type Hook,
  type HookLine,
  type WorktreeLine,
} from './hook-command.ts';
import type { InstalledHook } from './host-settings.ts';

const REINSTALL = 'vade capability install';
/** Tools that a matcher has to cover; the last one represents those of any server. */
const TOOLS =
  'Bash Edit Write MultiEdit NotebookEdit Agent Task Read Glob Grep WebFetch WebSearch mcp__server__tool'.split(' ');

/** The folder of bindings that a hook names, and its command line if nobody has altered it. */
export function lineOf({ hook }: InstalledHook): { readonly tasks: string | null; readonly line: HookLine | null } {
  const { command } = hook;
  return { tasks: tasksOfCommand(command), line: typeof command === 'string' ? readHookCommand(command) : null };
}

/** The same of a hook that gives worktrees. */
export function worktreeLineOf({ hook }: InstalledHook): {
  readonly tasks: string | null;
  readonly line: WorktreeLine | null;
} {
  const { command } = hook;
  return { tasks: tasksOfCommand(command), line: typeof command === 'string' ? readWorktreeCommand(command) : null };
}

/** Faults in the hooks of a host's settings, by their text alone. @param tasks folder of bindings of the repository */
export function judgeHooks(settings: Json, hooks: readonly InstalledHook[], tasks: string): HookFault[] {
  const own = hooks.filter((it) => lineOf(it).tasks === tasks);
  const missing: HookFault[] =
    own.length > 0
      ? []
      : [
          {
            code: 'hook_missing',
            message: `no hook starts the gate for the bindings in ${tasks}`,
            fix: `${REINSTALL}, or name the settings that have the hook: --settings`,
          },
        ];
  return [...missing, ...judgeSwitch(settings, 'the settings'), ...hooks.flatMap(judgeHook), ...judgeMatchers(hooks)];
}

/** `disableAllHooks` in any settings that the host reads. @param name of the file, for people */
export function judgeSwitch(settings: Json, name: string): HookFault[] {
  if (settings['disableAllHooks'] !== true) return [];
  return [{ code: 'hooks_disabled', message: `${name}: disableAllHooks is true`, fix: 'remove disableAllHooks' }];
}

/** Faults in a hook that gives worktrees, by its text alone. */
export function judgeWorktreeHook(installed: InstalledHook): HookFault[] {
  const { tasks, line } = worktreeLineOf(installed);
  return judgeWords(installed, tasks, line && worktreeHookFor(line));
}

function judgeHook(installed: InstalledHook): HookFault[] {
  const { tasks, line } = lineOf(installed);
  return judgeWords(installed, tasks, line && hookFor(line));
}

function judgeWords({ hook }: InstalledHook, tasks: string | null, wanted: Hook | null): HookFault[] {
  if (wanted !== null && sameFields(hook, wanted)) return [];
  const message = `the hook with the bindings of ${tasks ?? 'an unknown folder'} differs from the one that was installed`;
  return [{ code: 'hook_altered', message, fix: REINSTALL }];
}

function sameFields(hook: Json, wanted: object): boolean {
  const sorted = (it: object) => JSON.stringify(Object.entries(it).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(hook) === sorted(wanted);
}

/** The tools that no hook of a folder of bindings is asked about. */
function judgeMatchers(hooks: readonly InstalledHook[]): HookFault[] {
  const folders = [...new Set(hooks.map((it) => lineOf(it).tasks))];
  return folders.flatMap((tasks) => {
    const own = hooks.filter((it) => lineOf(it).tasks === tasks);
    const missed = TOOLS.filter((tool) => !own.some(({ matcher }) => means(matcher, tool)));
    if (missed.length === 0) return [];
    const message = `the hook with the bindings of ${tasks ?? 'an unknown folder'} does not run for ${missed.join(', ')}`;
    return [{ code: 'matcher_too_narrow' as const, message, fix: REINSTALL }];
  });
}

/** As the host reads a matcher: none, an empty one and `*` mean every tool; others are names or an expression. */
function means(matcher: string | null, tool: string): boolean {
  if (matcher === null || matcher === '' || matcher === '*') return true;
  try {
    return matchesPattern(tool, `^(?:${matcher})$`);
  } catch {
    return false;
  }
}

/** Variables by which a person switches hooks off; a role's atoms that may not be relaxed stay in force. */
export function judgeEnvironment(env: Readonly<Record<string, string | undefined>>): HookFault[] {
  return ['KEI_DISABLED_HOOKS', 'KEI_HOOK_PROFILE'].flatMap((name) => {
    const value = env[name] ?? '';
    if (value === '') return [];
    const message = `${name} is set to ${JSON.stringify(value)}, which can switch off relaxable atoms`;
    return [{ code: 'switch_set' as const, message, fix: `unset ${name} where the host is started` }];
  });
}

/** The first version of Claude Code that blocks a call whose hook fails or takes too long. */
const BLOCKING = [2, 1, 295] as const;

/** Whether a version of the host blocks a call whose hook fails; null if it is no version. */
export function blocksOnFailure(version: string): boolean | null {
  const [, ...parts] = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})/.exec(version) ?? [];
  if (parts.length === 0) return null;
  for (const [at, least] of BLOCKING.entries()) {
    const part = Number(parts[at]);
    if (part !== least) return part > least;
  }
  return true;
}
