import type { GivenValues } from '../../schema/capability/parameters.ts';
import type { ResolvedGate } from '../../schema/capability/resolved-role.ts';
import { messageOf } from '../../schema/errors.ts';
import type { AtomVerdict } from '../atoms/gate-module.ts';
import type { Disk } from '../paths/disk.ts';
import type { ExampleCall } from '../schema/atom.ts';
import { byAtom } from './decide.ts';
import { readCall } from './read-call.ts';

/** An empty worktree: examples are decided by their words, and never by the machine that compiles. */
const WORKTREE = '/worktree';
const HOME = '/home/agent';
const NOTHING: Disk = { kindOf: () => null, linkOf: () => null, linksOf: () => 1, namesIn: () => null };

/** The verdict of an atom's gate on an example, or the reason why the example is not a call. */
export function tryExample(
  entry: ResolvedGate,
  example: ExampleCall,
  parameters: GivenValues,
): AtomVerdict | { readonly outcome: 'unusable'; readonly why: string } {
  const { tool, input } = typeof example === 'string' ? callOf(entry.event, example) : example;
  const event = { hook_event_name: 'PreToolUse' as const, session_id: 'example', cwd: WORKTREE };
  try {
    const call = readCall({ ...event, tool_name: tool, tool_input: input }, WORKTREE, HOME, NOTHING);
    return byAtom(call, entry, { parameters });
  } catch (error) {
    return { outcome: 'unusable', why: messageOf(error) };
  }
}

/** A text as a call: a command, a path or a role, depending on the gate's event. */
function callOf(event: string, text: string): Exclude<ExampleCall, string> {
  if (event.includes('Edit') || event.includes('Write')) return { tool: 'Write', input: { file_path: text } };
  return event.includes('Agent')
    ? { tool: 'Agent', input: { subagent_type: text } }
    : { tool: 'Bash', input: { command: text } };
}
