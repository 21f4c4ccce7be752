import type { GivenValue, GivenValues } from '../../schema/capability/parameters.ts';
import type { ResolvedGate } from '../../schema/capability/resolved-role.ts';
import type { Disk } from '../paths/disk.ts';
import type { CallPlace, WriteTarget } from '../paths/targets.ts';
import type { CommandEffects } from '../shell/command.ts';

/** A tool call, read once for all atoms. */
export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The effects of the shell's command; null for other tools. */
  readonly command: CommandEffects | null;
  /** Files that it would write. */
  readonly targets: readonly WriteTarget[];
  readonly place: CallPlace;
  readonly disk: Disk;
}

/** The verdict of one atom on a call. */
export type AtomVerdict =
  | { readonly outcome: 'allow' | 'not_applicable' }
  | {
      readonly outcome: 'deny';
      /** The rule that was broken, in one sentence. */
      readonly rule: string;
      /** The action to take instead. */
      readonly instead: string;
    };

export const ALLOW: AtomVerdict = { outcome: 'allow' };
export const NOT_APPLICABLE: AtomVerdict = { outcome: 'not_applicable' };

export function deny(rule: string, instead: string): AtomVerdict {
  return { outcome: 'deny', rule, instead };
}

/** Decides one atom. It throws if its parameters are unusable: the gate then denies. */
export type DecideAtom = (call: ToolCall, gate: ResolvedGate, task: GivenValues) => AtomVerdict;

/** A gate or a check, with the names that a task may give it. */
type Accepting = Pick<ResolvedGate, 'parameters'>;

/** The value that the task gives an atom under a name that the atom accepts; undefined if it gives none. */
export function valueOf(name: string, atom: Accepting, task: GivenValues): GivenValue | undefined {
  return atom.parameters.includes(name) && Object.hasOwn(task, name) ? task[name] : undefined;
}

/** A list of texts that the task gives an atom; none if it gives none. */
export function listOf(name: string, atom: Accepting, task: GivenValues): readonly string[] {
  const value = valueOf(name, atom, task) ?? [];
  if (Array.isArray(value)) return value;
  throw new TypeError(`${name} is not a list`);
}

/** Why a command cannot be analysed, as a denial. */
export function unreadable({ faults }: CommandEffects): AtomVerdict {
  const [why = ''] = faults;
  return deny(
    `the command cannot be analysed: ${why}`,
    'run one plain command at a time, with literal names of programs and files',
  );
}

/** The verdict on a call whose targets all may be written: nothing to judge without one. */
export function allowTargets({ command, targets }: ToolCall): AtomVerdict {
  if (command !== null && command.faults.length > 0) return unreadable(command);
  return targets.length === 0 ? NOT_APPLICABLE : ALLOW;
}
