import { z } from 'zod';

/** A value that a task gives the atoms of its role. */
export const GivenValue = z.union([z.boolean(), z.int().nonnegative(), z.array(z.string().max(512)).max(1024)]);

/** Values by the name of the parameter, such as `files-whitelist`. */
export const GivenValues = z.record(z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/), GivenValue);

export type GivenValue = z.infer<typeof GivenValue>;
export type GivenValues = z.infer<typeof GivenValues>;

/** The kind of value that a parameter of a task has. */
export type ParameterKind = 'paths' | 'names' | 'count' | 'flag';

/** A parameter that a task may give: its table in `task.toml`, and the kind of its value. */
export interface ParameterSpec {
  readonly table: 'scope' | 'verification' | 'output';
  readonly kind: ParameterKind;
}

/**
 * Every parameter that a task may give. An atom can accept no other: nobody could ever set it, and its restriction
 * would silently have no effect.
 */
export const TASK_PARAMETERS = {
  'files-whitelist': { table: 'scope', kind: 'paths' },
  'files-denylist': { table: 'scope', kind: 'paths' },
  /** Files that `edit-shared` may edit besides its whitelist: each has one owner for the whole repository. */
  'ssot-patterns': { table: 'scope', kind: 'paths' },
  /** Lets a task change dependencies. */
  'allow-dependency-changes': { table: 'scope', kind: 'flag' },
  /** The most files that one command may delete. */
  'mass-delete-max': { table: 'scope', kind: 'count' },
  'cargo-check-crates': { table: 'verification', kind: 'names' },
  'cargo-test-crates': { table: 'verification', kind: 'names' },
  'test-count-min': { table: 'verification', kind: 'count' },
  'report-fields-required': { table: 'output', kind: 'names' },
} as const satisfies Readonly<Record<string, ParameterSpec>>;
