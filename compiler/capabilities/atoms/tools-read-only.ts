import { FILE_FIELDS } from '../effects/tools.ts';
import { ALLOW, deny, NOT_APPLICABLE, unreadable, type DecideAtom } from './gate-module.ts';
import { isTemporary } from './scratch-files.ts';

/** `tools::read-only`: no file is written, by no tool. */
export const readOnly: DecideAtom = ({ tool, targets, command, place }, gate) => {
  const instead = 'describe the change in your report: this role may only read';
  if (FILE_FIELDS.has(tool) || gate.tools_denied.includes(tool)) return deny(`${tool} writes files`, instead);
  const stray = targets.find((it) => it.path === null || !isTemporary(it.path, place.worktree));
  if (stray !== undefined) return deny(`the call would write ${stray.named}`, instead);
  if (command === null) return NOT_APPLICABLE;
  return command.faults.length > 0 ? unreadable(command) : ALLOW;
};
