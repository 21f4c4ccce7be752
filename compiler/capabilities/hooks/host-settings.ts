import { parseDocument } from 'yaml';
import { VadeError } from '../../schema/errors.ts';
import { tasksOfCommand, type Hook } from './hook-command.ts';
import { isObject, listOf, type Json } from './json-values.ts';

/** Before every tool call; and when an agent needs a worktree, which the hook then gives it. */
const EVENTS = ['PreToolUse', 'WorktreeCreate'] as const;
export type HostEvent = (typeof EVENTS)[number];
/** The matcher that means every tool. */
const EVERY_TOOL = '*';

/**
 * Reads the settings of Claude Code. Only what can be written again with the same meaning is read: a comment, a key
 * that stands twice or a number that JavaScript would round is refused.
 *
 * @param name of the file, for people
 * @throws argument_invalid
 */
export function readSettings(text: string, name: string): Json {
  if (text.trim() === '') return {};
  const parsed = parse(text, name);
  if (!isObject(parsed)) throw refused(name, 'is not a JSON object');
  if (parseDocument(text, { uniqueKeys: true }).errors.some((it) => it.code === 'DUPLICATE_KEY')) {
    throw refused(name, 'has a key twice, and only one of the two would be kept: remove the other');
  }
  const rounded = withoutStrings(text)
    .match(/-?\d[\d.eE+-]*/g)
    ?.find(isRounded);
  if (rounded !== undefined) throw refused(name, `has the number ${rounded}, which would be written differently`);
  for (const event of EVENTS) hooksIn(parsed, name, event);
  return parsed;
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refused(name, whyNotJson(text));
  }
}

function whyNotJson(text: string): string {
  if (text.startsWith('\uFEFF'))
    return 'begins with a byte-order mark, which JSON does not have: save it as UTF-8 without';
  return /\/[/*]/.test(withoutStrings(text)) ? 'has comments, which would be lost: remove them' : 'is not JSON';
}

function refused(name: string, why: string): VadeError {
  return new VadeError('argument_invalid', `${name} ${why}; nothing was changed`, { flag: 'settings' });
}

function withoutStrings(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
}

/** Fifteen digits survive; more may not. */
function isRounded(digits: string): boolean {
  return digits.replace(/e.*/i, '').replaceAll(/[^\d]/g, '').length > 15 || !Number.isFinite(Number(digits));
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
    throw refused(name, `has hooks of another shape than ${event}: [{matcher, hooks}]`);
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
  const others = withoutEntries(entries, tasks);
  return { ...settings, hooks: { ...all, [event]: [...others, own] } };
}

/** The settings without the hooks for a folder of tasks; what is empty then goes too. */
export function withoutHook(settings: Json, tasks: string): Json {
  return EVENTS.reduce((left, event) => withoutHookOf(left, tasks, event), settings);
}

function withoutHookOf(settings: Json, tasks: string, event: HostEvent): Json {
  const { all, entries } = hooksIn(settings, 'the file', event);
  if (!entries.some((it) => hasHookOf(it, tasks))) return settings;
  const left = withoutEntries(entries, tasks);
  const hooks = left.length > 0 ? { ...all, [event]: left } : without(all, event);
  return Object.keys(hooks).length > 0 ? { ...settings, hooks } : without(settings, 'hooks');
}

function withoutEntries(entries: readonly Json[], tasks: string): Json[] {
  return entries.flatMap((entry) => {
    if (!hasHookOf(entry, tasks)) return [entry];
    const left = listOf(entry['hooks']).filter((it) => tasksOf(it) !== tasks);
    return left.length > 0 ? [{ ...entry, hooks: left }] : [];
  });
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

/** The settings as text, indented and ended as the file was. */
export function writeSettings(settings: Json, before: string): string {
  const [, indent = '  '] = /^([ \t]+)\S/m.exec(before) ?? [];
  const end = before === '' || /\n\s*$/.test(before) ? '\n' : '';
  const text = `${JSON.stringify(settings, null, indent)}${end}`;
  return before.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
}
