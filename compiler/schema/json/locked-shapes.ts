import { z } from 'zod';
import { CapabilityFile } from '../capability/atom.ts';
import { RoleFile } from '../capability/role.ts';
import { PARAMETER_VALUES, TaskFile } from '../task/task-file.ts';

/**
 * The version of what a host and an orchestrator rely on besides the files: commands, exit codes, bindings, plans, and the
 * environment of checks. It rises with every change that breaks them, and when a parameter of a task is renamed or removed.
 */
export const RUNTIME_CONTRACT = 1;

/** The tables of `task.toml` whose keys are parameters of atoms. */
const PARAMETER_TABLES = ['scope', 'verification', 'output'] as const;

/**
 * What a lock keeps (agent substrate, Lock declaration): “the capability-triplet shape + role shape + task-spec shape +
 * runtime contract”. “New parameterized fields” are allowed during a lock, so of parameters it has only what each kind of
 * them may hold. Atoms and roles are values of these shapes, so new ones change nothing.
 */
export function lockedShapes(): object {
  const task = shapeOf(TaskFile) as { readonly properties: Readonly<Record<string, object>> };
  const tables = PARAMETER_TABLES.map((name) => [name, { ...task.properties[name], properties: {} }] as const);
  return {
    capability: shapeOf(CapabilityFile),
    role: shapeOf(RoleFile),
    task: { ...task, properties: { ...task.properties, ...Object.fromEntries(tables) } },
    parameters: shapeOf(z.strictObject(PARAMETER_VALUES)),
    contract: RUNTIME_CONTRACT,
  };
}

/** The JSON Schema of a file as its author writes it, as `compiler/schema/json` has it. */
function shapeOf(schema: z.ZodType): object {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}
