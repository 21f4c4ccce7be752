import { z } from 'zod';
import { AtomName, RoleName } from '../../schema/capability/atom-name.ts';
import { PathPattern } from '../../schema/capability/path-pattern.ts';
import { Escalation, ToolName } from '../../schema/capability/tools.ts';
import { oneLine } from '../../schema/primitives.ts';
import { Pattern } from './atom.ts';

/** Maximum length of a chain of roles that extend each other. */
export const MAX_EXTENDS = 16;

const atoms = () => z.array(AtomName).max(64).default([]);
const tools = () => z.array(ToolName).max(128).default([]);

/** `roles/<name>.toml`. What a role leaves out comes from the role that it extends. */
export const RoleFile = z.strictObject({
  role: z.strictObject({
    name: RoleName,
    'display-name': oneLine(120).min(1),
    description: oneLine(500).min(1),
    extends: RoleName.optional(),
    /** False for a role that only documents who may do something: no command ever starts it. */
    spawnable: z.boolean().default(true),
  }),
  capabilities: z
    .strictObject({
      /** Fragments come in this order, after those of the extended role. */
      required: atoms(),
      /** Atoms of the extended role that this one drops; each must be relaxable. */
      relaxes: atoms(),
      /** Atoms whose `bypass-env` works in this role; two administrators must approve it. */
      bypasses: atoms(),
    })
    .default({ required: [], relaxes: [], bypasses: [] }),
  /** Parameters that a task with this role may give besides those that its atoms accept. */
  parameterized: z.strictObject({ accepts: z.array(oneLine(64).min(1)).max(32).default([]) }).default({ accepts: [] }),
  tools: z
    .strictObject({
      /** No other tool may be used; a role that extends another adds to its list. An empty list is no limit. */
      allowed: tools(),
      /** Wins over `allowed`. */
      denied: tools(),
      /** Tools that write no file, of those that only a role knows; others are judged by the paths in their input. */
      reading: z.array(ToolName).max(128).optional(),
      /**
       * Patterns that commands must match; no pattern is no further limit. A role that extends another replaces the
       * list.
       */
      'bash-patterns-allowed': z.array(Pattern).max(64).optional(),
    })
    .default({ allowed: [], denied: [] }),
  files: z
    .strictObject({
      /** Files that the user's programs run or obey and that its agents may change, as globs; none by default. */
      'obeyed-allowed': z.array(PathPattern).max(128).default([]),
    })
    .default({ 'obeyed-allowed': [] }),
  escalation: z.strictObject({ policy: Escalation }).optional(),
});

export type RoleFile = z.infer<typeof RoleFile>;

/** One role as its file declares it. */
export interface Role {
  readonly name: string;
  readonly file: string;
  readonly declared: RoleFile;
}
