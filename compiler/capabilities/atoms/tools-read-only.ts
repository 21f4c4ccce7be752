import { ALLOW, deny, NOT_APPLICABLE, unreadable, type DecideAtom } from './gate-module.ts';
import { isTemporary } from './scope-lists.ts';

/** Tools of the host that write files. */
const EDITING = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);

/** `tools::read-only`: no file is written, by no tool. */
export const readOnly: DecideAtom = ({ tool, targets, command, place }, gate) => {
  const instead = 'describe the change in your report: this role only reads';
  if (EDITING.has(tool) || gate.tools_denied.includes(tool)) return deny(`${tool} writes files`, instead);
  if (command === null) return NOT_APPLICABLE;
  const stray = targets.find((it) => !it.isDoubtful && (it.path === null || !isTemporary(it.path, place.worktree)));
  if (stray !== undefined) return deny(`the command would write ${stray.named}`, instead);
  return command.faults.length > 0 ? unreadable(command) : ALLOW;
};
