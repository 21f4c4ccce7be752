import { withoutHooks } from '../../hosts/hook-lines.ts';
import { isObject, listOf, type Json } from '../../hosts/json-values.ts';
import { parseSettings, settingsRefused } from '../../hosts/settings-text.ts';
import { tasksOfCommand, type Hook } from './hook-command.ts';

/** Before every tool call; and when an agent needs a worktree, which the hook then gives it. */
const EVENTS = ['PreToolUse', 'WorktreeCreate'] as const;
export type HostEvent = (typeof EVENTS)[number];
/** The matcher that means every tool. */
const EVERY_TOOL = '*';

/** Reads the settings of Claude Code, and its hooks of our events. @throws argument_invalid */
export function readSettings(text: string, name: string): Json {
  const settings = parseSettings(text, name);
  for (const event of EVENTS) hooksIn(settings, name, event);
  return settings;
}

/** Entries of the event: each has a matcher and hooks. */
function hooksIn(
  settings: Json,
  name: string,
  event: HostEvent,
): { readonly all: Json; readonly entries: readonly Json[] } {
  const all = settings['hooks'] ?? {};
  const entries = isObject(all) ? (all[event] ?? []) : null;
  if (!isObject(all) || !Array.isArray(entries) || !entries.every(isObject)) {
    throw settingsRefused(name, `has hooks of another shape than ${event}: [{matcher, hooks}]`);
  }
  return { all, entries };
}

/** The settings with this hook of an event, in place of an earlier one for the same folder of tasks. */
export function withHook(settings: Json, hook: Hook, event: HostEvent = 'PreToolUse'): Json {
  const { all, entries } = hooksIn(settings, 'the file', event);
  const own = { matcher: EVERY_TOOL, hooks: [hook] };
  const tasks = tasksOfCommand(hook.command) ?? '';
  const isThere = entries.filter((it) => hasHookOf(it, tasks)).length === 1;
  if (isThere && entries.some((it) => JSON.stringify(it) === JSON.stringify(own))) return settings;
  const others = withoutHooks(entries, (it) => tasksOf(it) === tasks);
  return { ...settings, hooks: { ...all, [event]: [...others, own] } };
}

/** The settings without the hooks for a folder of tasks; what is empty then goes too. */
export function withoutHook(settings: Json, tasks: string): Json {
  return EVENTS.reduce((left, event) => withoutHookOf(left, tasks, event), settings);
}

function withoutHookOf(settings: Json, tasks: string, event: HostEvent): Json {
  const { all, entries } = hooksIn(settings, 'the file', event);
  if (!entries.some((it) => hasHookOf(it, tasks))) return settings;
  const left = withoutHooks(entries, (it) => tasksOf(it) === tasks);
  const hooks = left.length > 0 ? { ...all, [event]: left } : without(all, event);
  return Object.keys(hooks).length > 0 ? { ...settings, hooks } : without(settings, 'hooks');
}

function without(from: Json, name: string): Json {
  return Object.fromEntries(Object.entries(from).filter(([key]) => key !== name));
}

function hasHookOf(entry: Json, tasks: string): boolean {
  return listOf(entry['hooks']).some((it) => tasksOf(it) === tasks);
}

function tasksOf(hook: unknown): string | null {
  return isObject(hook) ? tasksOfCommand(hook['command']) : null;
}

/** A hook in a host's settings that starts a gate, or gives worktrees. */
export interface InstalledHook {
  /** Null if the entry has none, which means every tool. */
  readonly matcher: string | null;
  /** As it stands in the settings, with whatever fields somebody has given it. */
  readonly hook: Json;
}

/** Every hook of an event that starts a gate or gives worktrees, whatever else was made of it. */
export function installedHooks(settings: Json, event: HostEvent = 'PreToolUse'): InstalledHook[] {
  return hooksIn(settings, 'the file', event).entries.flatMap((entry) => {
    const { matcher } = entry;
    const hooks = listOf(entry['hooks']).filter((it) => isObject(it) && isOurs(it['command'], event));
    return hooks.map((hook) => ({ matcher: typeof matcher === 'string' ? matcher : null, hook: hook as Json }));
  });
}

function isOurs(command: unknown, event: HostEvent): boolean {
  return typeof command === 'string' && command.includes(event === 'PreToolUse' ? 'vade-gate' : ' task worktree ');
}
