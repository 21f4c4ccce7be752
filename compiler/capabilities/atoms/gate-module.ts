import type { TaskValue, TaskValues } from '../../schema/capability/parameters.ts';
import type { ResolvedGate } from '../../schema/capability/resolved-role.ts';
import type { Disk } from '../paths/disk.ts';
import type { Place, Target } from '../paths/targets.ts';
import type { CommandReading } from '../shell/read-command.ts';

/** A tool call, read once for all atoms. */
export interface Call {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What the shell's command would do; null for other tools. */
  readonly command: CommandReading | null;
  /** Files that it would write. */
  readonly targets: readonly Target[];
  readonly place: Place;
  readonly disk: Disk;
}

/** What one atom says of a call. */
export type Outcome =
  | { readonly outcome: 'allow' | 'not_applicable' }
  | {
      readonly outcome: 'deny';
      /** What was broken, in one sentence. */
      readonly rule: string;
      /** What to do instead. */
      readonly instead: string;
    };

export const ALLOW: Outcome = { outcome: 'allow' };
export const NOT_APPLICABLE: Outcome = { outcome: 'not_applicable' };

export function deny(rule: string, instead: string): Outcome {
  return { outcome: 'deny', rule, instead };
}

/** Decides one atom. It throws if its parameters are unusable: the gate then denies. */
export type DecideAtom = (call: Call, gate: ResolvedGate, task: TaskValues) => Outcome;

/** A gate or a check, with the names that a task may give it. */
type Accepting = Pick<ResolvedGate, 'parameters'>;

/** What the task gives an atom by a name that the atom accepts; undefined if it gives nothing. */
export function valueOf(name: string, atom: Accepting, task: TaskValues): TaskValue | undefined {
  return atom.parameters.includes(name) && Object.hasOwn(task, name) ? task[name] : undefined;
}

/** A list of texts that the task gives an atom; none if it gives none. */
export function listOf(name: string, atom: Accepting, task: TaskValues): readonly string[] {
  const value = valueOf(name, atom, task) ?? [];
  if (Array.isArray(value)) return value;
  throw new TypeError(`${name} is not a list`);
}

/** Why a command cannot be analysed, as a denial. */
export function unreadable({ faults }: CommandReading): Outcome {
  const [why = ''] = faults;
  return deny(
    `the command cannot be analysed: ${why}`,
    'write the programs and files out, one plain command at a time',
  );
}
