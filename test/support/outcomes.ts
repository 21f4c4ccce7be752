import { tryExample } from '../../compiler/capabilities/gate/try-example.ts';
import type { ExampleCall } from '../../compiler/capabilities/schema/atom.ts';
import type { GivenValues } from '../../compiler/schema/capability/parameters.ts';
import { gateEntry } from './gate.ts';

/** A call of the shell. */
export const bash = (command: string): ExampleCall => ({ tool: 'Bash', input: { command } });

/** Outcomes of an atom for calls, one after the other, in a worktree without files. */
export function outcomes(
  atom: string,
  event: string,
  calls: readonly ExampleCall[],
  task: GivenValues = {},
  more: object = {},
) {
  const entry = gateEntry(atom, event, { parameters: Object.keys(task), ...more });
  return calls.map((it) => tryExample(entry, it, task).outcome);
}
