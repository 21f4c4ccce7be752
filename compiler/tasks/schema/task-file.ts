import { z } from 'zod';
import { RoleName } from '../../schema/capability/atom-name.ts';
import {
  TASK_PARAMETERS,
  type ParameterKind,
  type ParameterSpec,
  type GivenValues,
} from '../../schema/capability/parameters.ts';
import { PathPattern } from '../../schema/capability/path-pattern.ts';
import { Escalation } from '../../schema/capability/tools.ts';
import { oneLine } from '../../schema/primitives.ts';
import { AgentId } from './ids.ts';

/** A longer `task.toml` is not read. */
export const MAX_TASK_BYTES = 262_144;

/** Crates and fields go onto command lines and into reports: none may look like an option. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/** The values that a parameter of each kind may hold. */
const PARAMETER_VALUES = {
  paths: z.array(PathPattern).max(1024),
  names: z.array(z.string().max(128).regex(NAME, 'write a plain name: letters, digits, hyphens')).max(256),
  count: z.int().nonnegative(),
  flag: z.boolean(),
} as const satisfies Readonly<Record<ParameterKind, z.ZodType>>;

/** The parameters of one table of `task.toml`; each may be left out. */
function parametersOf(table: ParameterSpec['table']) {
  const own = Object.entries<ParameterSpec>(TASK_PARAMETERS).filter(([, it]) => it.table === table);
  const shape = Object.fromEntries(own.map(([name, { kind }]) => [name, z.optional(PARAMETER_VALUES[kind])]));
  return z.strictObject(shape).default({});
}

/** `tasks/<id>/task.toml`: what one agent is to do, under which role, with which parameters. */
export const TaskFile = z.strictObject({
  task: z.strictObject({
    role: RoleName,
    /** For the host and the ledger; default: the task's name. */
    description: oneLine(120).min(1).optional(),
    /** An id of one's own; without it one is allocated at every spawn. */
    'agent-id': AgentId.optional(),
    /** The agent that asked for this one; without it the orchestrator did. */
    'parent-agent': AgentId.optional(),
    /** The host's type of agent; default: the role. */
    'agent-type': oneLine(64)
      .regex(/^[A-Za-z0-9][A-Za-z0-9:_-]*$/, 'write the name of a type of agents, such as code-implementer')
      .optional(),
    /** Roles that the agent may start; none unless they are named. */
    spawns: z.array(RoleName).max(64).default([]),
  }),
  scope: parametersOf('scope'),
  verification: parametersOf('verification'),
  output: parametersOf('output'),
  /** Instead of the role's. */
  escalation: z.strictObject({ policy: Escalation }).optional(),
  body: z.strictObject({ text: z.string().min(1).max(65_536) }),
});

export type TaskFile = z.infer<typeof TaskFile>;

/** A task as its file has it. */
export interface Task {
  readonly id: string;
  /** The path that people know it by. */
  readonly file: string;
  /** Of the bytes of the file. */
  readonly digest: string;
  readonly bytes: Buffer;
  readonly declared: TaskFile;
  /** The values that its three tables give, by name. */
  readonly parameters: GivenValues;
}
