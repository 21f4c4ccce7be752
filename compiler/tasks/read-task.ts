import type { At } from '../capabilities/read-capabilities.ts';
import { TASK_PARAMETERS } from '../schema/capability/parameters.ts';
import type { ResolvedRole } from '../schema/capability/resolved-role.ts';
import { diagnostic, type Diagnostic, type RuleId } from '../schema/diagnostics.ts';
import { suggestedKey } from '../schema/known-keys.ts';
import { decodeToml } from '../sources/toml.ts';
import { parseText } from '../sources/unit.ts';
import { sha256 } from '../trust/canonical.ts';
import { TaskFile, type Task } from './schema/task-file.ts';

/** A task that could be read, with the places of its keys; or what is wrong with it. */
export interface ReadTask {
  readonly task: Task | null;
  readonly faults: readonly Diagnostic[];
  readonly at: At;
}

/** Decodes `task.toml`. @param file for messages */
export function readTask(id: string, file: string, bytes: Buffer): ReadTask {
  const { value: text, faults } = parseText(file, bytes);
  if (text === null) return { task: null, faults, at: () => ({ line: 1, column: 1 }) };
  const { value: declared, faults: found, at } = decodeToml(TaskFile, text, file);
  if (declared === null) return { task: null, faults: found, at };
  const { scope, verification, output } = declared;
  const given = Object.entries({ ...scope, ...verification, ...output }).filter(([, value]) => value !== undefined);
  const parameters = Object.fromEntries(given) as Task['parameters'];
  return { task: { id, file, digest: sha256(bytes), bytes, declared, parameters }, faults: [], at };
}

/** Whether the bundle has the role of a task. @param roles of the bundle */
export function lintRole({ task, at }: ReadTask, roles: ReadonlyMap<string, boolean>): Diagnostic[] {
  const role = task?.declared.task.role ?? '';
  if (task === null || roles.has(role)) return [];
  const help = suggestedKey(role, [...roles.keys()]) ?? `the bundle has ${listed([...roles.keys()])}`;
  return [diagnostic('task_role_unknown', task.file, `the bundle has no role “${role}”`, help, at(['task', 'role']))];
}

/**
 * Whether a task fits its role: a parameter that no atom accepts would have no effect, and its author would rely on it.
 *
 * @param roles that the bundle has, and whether they may be started
 */
export function lintTask(
  { task, at }: ReadTask,
  role: ResolvedRole,
  roles: ReadonlyMap<string, boolean>,
): Diagnostic[] {
  if (task === null) return [];
  const fault = (rule: RuleId, path: readonly string[], message: string, help: string) =>
    diagnostic(rule, task.file, message, help, at(path));
  const refused = Object.keys(task.parameters).filter((it) => !role.accepts.includes(it));
  const faults = refused.map((name) => {
    const help = suggestedKey(name, role.accepts) ?? `remove it; the role accepts ${listed(role.accepts)}`;
    const message = `no atom of the role ${role.role} accepts “${name}”`;
    return fault('task_parameter_refused', [tableOf(name), name], message, help);
  });
  for (const name of task.declared.task.spawns) {
    const isSpawnable = roles.get(name);
    if (isSpawnable === true) continue;
    const why =
      isSpawnable === undefined
        ? `the bundle has no role “${name}”`
        : `the role “${name}” cannot be spawned: spawnable is false`;
    const help =
      suggestedKey(
        name,
        [...roles.keys()].filter((it) => it !== name),
      ) ?? 'remove it';
    faults.push(fault('task_spawns_unknown', ['task', 'spawns'], why, help));
  }
  if (role.accepts.includes('files-whitelist') && isEmpty(task.parameters['files-whitelist'])) {
    const help = 'list what it may change in [scope] files-whitelist';
    faults.push(fault('task_whitelist_empty', ['scope'], 'the agent may change every file', help));
  }
  return faults;
}

function tableOf(name: string): string {
  return TASK_PARAMETERS[name as keyof typeof TASK_PARAMETERS].table;
}

function isEmpty(value: unknown): boolean {
  return !Array.isArray(value) || value.length === 0;
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}
