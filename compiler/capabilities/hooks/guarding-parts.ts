import { isObject, listOf, objectIn, type Json } from '../../hosts/json-values.ts';
import { tasksOfCommand } from './hook-command.ts';

/** Switches of all hooks, of those outside of an organisation's settings, and of this gate. */
const SWITCHES = ['disableAllHooks', 'allowManagedHooksOnly'];
const VARIABLES = ['KEI_DISABLED_HOOKS', 'KEI_HOOK_PROFILE'];

/**
 * The parts of a host's settings that concern the gate of one repository: its hooks, and the settings that can switch
 * them off. Other settings may change freely. Untrusted input.
 *
 * @param tasks the folder of bindings that the hooks name
 * @returns null if there are none; the whole text if it cannot be read, as the host ignores it then
 */
export function guardingParts(text: string, tasks: string): unknown {
  const settings = objectIn(text);
  if (settings === null) return text;
  const switches = picked(settings, SWITCHES);
  const variables = picked(isObject(settings['env']) ? settings['env'] : {}, VARIABLES);
  const hooks = hookEntries(settings).filter(({ hook }) => isObject(hook) && tasksOfCommand(hook['command']) === tasks);
  return switches.length + variables.length + hooks.length === 0 ? null : { switches, variables, hooks };
}

/** Every hook of every event, with its matcher. */
function hookEntries(settings: Json) {
  const events = isObject(settings['hooks']) ? Object.entries(settings['hooks']) : [];
  return events.flatMap(([event, entries]) =>
    listOf(entries)
      .filter(isObject)
      .flatMap((entry) => listOf(entry['hooks']).map((hook) => ({ event, matcher: entry['matcher'] ?? null, hook }))),
  );
}

function picked(from: Json, names: readonly string[]): unknown[] {
  return names.filter((it) => Object.hasOwn(from, it)).map((it) => [it, from[it]]);
}
