import type { ToolCall } from '../atoms/gate-module.ts';
import { FILE_FIELDS, isUnknownTool, pathsIn } from '../effects/tools.ts';
import type { Disk } from '../paths/disk.ts';
import { realPath } from '../paths/real-path.ts';
import { editedTarget, writtenTargets, type CallPlace } from '../paths/targets.ts';
import type { HookEvent } from '../schema/hook-event.ts';
import { readCommand } from '../shell/read-command.ts';
import { textOf } from './read-json.ts';

/**
 * Reads a tool call once, for all that decide about it. An unknown tool is taken to write every path in its input.
 *
 * @param reading tools that the role lists as reading only
 * @throws if its input is not what the tool takes
 */
export function readCall(
  event: HookEvent,
  worktree: string,
  home: string,
  disk: Disk,
  reading: readonly string[] = [],
): ToolCall {
  const { tool_name: tool, tool_input: input } = event;
  const place: CallPlace = { cwd: realPath(event.cwd, disk), home, worktree };
  const shared = { tool, input, place, disk };
  const field = FILE_FIELDS.get(tool);
  if (field !== undefined) {
    const named = textOf(input, field);
    if (named === '' || named.includes('\0')) throw new TypeError('the path is empty or contains a NUL byte');
    return { ...shared, command: null, targets: [editedTarget(named, tool, place, disk)] };
  }
  if (isUnknownTool(tool, reading)) {
    const targets = pathsIn(input).map((it) => editedTarget(it, tool, place, disk));
    return { ...shared, command: null, targets };
  }
  if (tool !== 'Bash') return { ...shared, command: null, targets: [] };
  const command = readCommand(textOf(input, 'command'), place);
  return { ...shared, command, targets: command.writes.flatMap((it) => writtenTargets(it, place, disk)) };
}
