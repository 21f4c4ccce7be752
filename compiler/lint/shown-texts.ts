import type { Position } from '../schema/diagnostics.ts';
import type { Agent } from '../schema/source/agent.ts';
import type { Unit } from '../schema/source/unit.ts';

/** One line of the sources as an agent reads it, and its place in the file. */
export interface ShownText {
  readonly text: string;
  readonly at: Position;
}

/** The parts of a unit that an agent is shown; their places are those of its front matter. */
export type ShownUnit = Pick<Unit, 'name' | 'file' | 'delivery' | 'at'>;

const START: Position = { line: 1, column: 1 };

/**
 * All that a manifest entry or a candidate shows of a unit, for the agent to choose by. A text that is shown, but
 * missing here, is not checked: a test compares the two.
 */
export function shownOfUnit({ name, delivery, at }: ShownUnit): ShownText[] {
  const { description, load_triggers, path, required_by_task_types } = delivery;
  const each = (key: string, label: string, texts: readonly string[]) =>
    texts.map((text, index) => ({ text: `${label}: ${text}`, at: at(key, index) }));
  return [
    // a name has hyphens where a sentence has spaces; alone on its line “system” would be the tag of a role
    { text: `The unit: ${name.replaceAll('-', ' ')}`, at: START },
    ...each('description', 'For', [description]),
    ...each('load_triggers.intents', 'When', load_triggers.intents),
    ...each('required_by_task_types', 'At', required_by_task_types),
    ...each('path', 'In', path === null ? [] : [path]),
  ];
}

/** All that a boot stub shows of an agent's configuration. */
export function shownOfAgent({ role }: Pick<Agent, 'role'>, at: Position): ShownText[] {
  return [{ text: `You are ${role}.`, at }];
}
