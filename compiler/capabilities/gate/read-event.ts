import type { HookEvent } from '../schema/hook-event.ts';
import { asFields, fieldOf, textOf } from './read-json.ts';

/** Reads what the host writes to a hook. Hostile input. @throws if it is no event before a tool call */
export function readEvent(text: string): HookEvent {
  const from = asFields(JSON.parse(text));
  if (textOf(from, 'hook_event_name') !== 'PreToolUse') throw new TypeError('the event is not PreToolUse');
  const event = {
    hook_event_name: 'PreToolUse' as const,
    session_id: filled(from, 'session_id'),
    cwd: filled(from, 'cwd'),
    tool_name: filled(from, 'tool_name'),
    tool_input: asFields(fieldOf(from, 'tool_input')),
  };
  if (event.cwd.includes('\0')) throw new TypeError('the working directory contains a NUL byte');
  const hasAgent = Object.hasOwn(from, 'agent_id') && from['agent_id'] !== null;
  return hasAgent ? { ...event, agent_id: filled(from, 'agent_id') } : event;
}

function filled(from: Readonly<Record<string, unknown>>, name: string): string {
  const text = textOf(from, name);
  if (text === '' || text.length > 4096) throw new TypeError(`${name} is empty or too long`);
  return text;
}
