import { z } from 'zod';
import { AtomName, Category } from '../../schema/capability/atom-name.ts';
import { GivenValue } from '../../schema/capability/parameters.ts';
import { PathPattern } from '../../schema/capability/path-pattern.ts';
import { CheckTime, GateEventName, RunMode, Severity, ToolName } from '../../schema/capability/tools.ts';
import { oneLine } from '../../schema/primitives.ts';

/** Most words of an atom's text. */
export const MAX_FRAGMENT_WORDS = 200;

/** The name of a module, such as `gates::policy_no_git_ops`; empty where an atom declares that it has none. */
const ModuleName = z
  .string()
  .max(128)
  .regex(
    /^(?:[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*)?$/,
    'write it as gates::<name> or verifies::<name>, or leave it empty',
  );

/** `module`, or its name in the specification. */
const moduleKeys = { module: ModuleName.optional(), 'rust-module': ModuleName.optional() };

interface Named {
  readonly module?: string | undefined;
  readonly 'rust-module'?: string | undefined;
}

const namesOneModule = (it: Named) => (it.module === undefined) !== (it['rust-module'] === undefined);
const ONE_MODULE = { error: 'name the module once: module (or rust-module); leave it empty if there is none' };

/** A regular expression in the syntax of RE2; lint refuses what RE2 cannot run in linear time. */
export const Pattern = z.string().min(1).max(500);

const EnvironmentName = z
  .string()
  .max(64)
  .regex(/^(?:[A-Z][A-Z0-9_]*)?$/, 'write the name of an environment variable, or leave it empty');

/** A tool call of an example: a command, a path or an agent by the atom's event, or the whole call. */
export const ExampleCall = z.union([
  z.string().min(1).max(4000),
  z.strictObject({ tool: ToolName, input: z.record(z.string(), z.unknown()) }),
]);

/** Calls that the gate must stop, and calls that it must let through, under these parameters; a compile runs them. */
const Examples = z.strictObject({
  match: z.array(ExampleCall).max(64).default([]),
  not_match: z.array(ExampleCall).max(64).default([]),
  parameters: z.record(z.string().max(64), GivenValue).default({}),
});

/** `capability.toml`: everything about an atom but its text. */
export const CapabilityFile = z.strictObject({
  capability: z.strictObject({
    name: AtomName,
    category: Category,
    version: oneLine(32).min(1),
    description: oneLine(200).min(1),
    rationale: oneLine(500).default(''),
    /** Whether a role that extends another may drop the atom. */
    relaxable: z.boolean().default(false),
  }),
  restricts: z
    .strictObject({
      /** Commands, as regular expressions. */
      'tool-patterns': z.array(Pattern).max(64).default([]),
      /** Files, as globs relative to the repository; `~/` begins one in the home folder. */
      'path-patterns': z.array(PathPattern).max(64).default([]),
      /** Tools that no role with the atom may use. */
      'tools-denied': z.array(ToolName).max(64).default([]),
    })
    .default({ 'tool-patterns': [], 'path-patterns': [], 'tools-denied': [] }),
  /** Parameters that a task may give. */
  parameterized: z.strictObject({ accepts: z.array(oneLine(64).min(1)).max(32).default([]) }).default({ accepts: [] }),
  text: z.strictObject({ path: z.literal('text.md') }),
  gate: z
    .strictObject({
      ...moduleKeys,
      event: GateEventName.optional(),
      severity: Severity.default('block'),
      'bypass-env': EnvironmentName.default(''),
    })
    .refine(namesOneModule, ONE_MODULE)
    .optional(),
  verify: z
    .strictObject({ ...moduleKeys, 'run-mode': RunMode.optional(), when: CheckTime.default('on-return') })
    .refine(namesOneModule, ONE_MODULE)
    .optional(),
  examples: Examples.default({ match: [], not_match: [], parameters: {} }),
});

export type CapabilityFile = z.infer<typeof CapabilityFile>;
export type ExampleCall = z.infer<typeof ExampleCall>;

/** The module that a section names; empty if it declares none. */
export function moduleOf(section: Named | undefined): string {
  return section?.module ?? section?.['rust-module'] ?? '';
}

/** One atom as its folder holds it: its declaration and its text. */
export interface Atom {
  readonly name: string;
  /** Path of `capability.toml`. */
  readonly file: string;
  /** Path of `text.md`. */
  readonly textFile: string;
  readonly declared: CapabilityFile;
  readonly text: string;
}
