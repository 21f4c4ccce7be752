import type { ToolCall } from '../atoms/gate-module.ts';
import { FILE_FIELDS, isUnknownTool, pathsIn } from '../effects/tools.ts';
import type { Disk } from '../paths/disk.ts';
import { writesThroughLinks } from '../paths/new-links.ts';
import { realPath } from '../paths/real-path.ts';
import { editedTarget, writtenTargets, type CallPlace, type WriteTarget } from '../paths/targets.ts';
import type { HookEvent } from '../schema/hook-event.ts';
import { readCommand } from '../shell/read-command.ts';
import type { PlacedWrite } from '../shell/reading.ts';
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
  const shared = { tool, input, place, disk, guesses: [] };
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
  const writes = [...command.writes, ...writesThroughLinks(command.writes, command.links)];
  const all = writes.flatMap((it) =>
    writtenTargets(it, command.cwds, place, disk).map((target) => ({
      target,
      counts: it.isGuess === undefined || isThere(target, it.isGuess, disk),
    })),
  );
  const those = (counts: boolean) => all.filter((it) => it.counts === counts).map((it) => it.target);
  return { ...shared, command, targets: those(true), guesses: those(false) };
}

/**
 * Whether a word may be a file that is written: it exists, or is outside the worktree. Files that are rewritten in a
 * folder are judged by the folder, but not in the whole worktree: there the check finds which files changed.
 */
function isThere({ path, relative, glob }: WriteTarget, guess: PlacedWrite['isGuess'], disk: Disk): boolean {
  if (path === null) return false;
  const kind = disk.kindOf(path);
  if (relative === null || kind === 'file') return true;
  return relative !== '' && (kind === 'folder' || (guess === 'rewritten' && glob !== null));
}
