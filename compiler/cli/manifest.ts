import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { z } from 'zod';
import type { Flags } from '../world/flags/flag.ts';
import { EXITS, exitsOf, type ExitName } from './exit.ts';
import type { CommandEntry, ManifestResponse } from './manifest-schema.ts';
import {
  bareGroups,
  commandsBelow,
  describedFlags,
  GLOBAL_FLAGS,
  type Command,
  type Danger,
  type Registry,
} from './registry.ts';

/** Exit codes of a call that prints help. */
const ALWAYS: readonly ExitName[] = ['SUCCESS', 'ARG_ERROR', 'SIGINT', 'SIGTERM'];

/** Computes the manifest from the registry; the same commands give the same manifest, in any order. */
export function buildManifest(registry: Registry, version: string): ManifestResponse {
  const leaves = [...registry.commands.values()].map((it) => [it.path, toEntry(it, registry)] as const);
  const all = [...groupsOf(registry), ['help', HELP] as const, ...leaves];
  const commands = Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
  const digest = createHash('sha256')
    .update(canonicalize(commands) ?? '')
    .digest('hex');
  return { schema_version: '3.0', framework_version: version, etag: `sha256:${digest}`, commands };
}

/** `vade help`, which the parser of command lines answers itself. */
const HELP: CommandEntry = {
  description: 'Print all commands by use, or explain the command whose words follow: vade help key create',
  danger_level: 'safe',
  required_scopes: [],
  flags: toFlags(GLOBAL_FLAGS),
  exit_codes: toExitCodes(ALWAYS, 'safe'),
  examples: [{ description: 'Explain a command', command: 'vade help key create' }],
};

/** The manifest's entry of a command; one that is also a group, such as `probe`, lists the commands below it. */
export function toEntry(command: Command, registry: Registry): CommandEntry {
  const subcommands = commandsBelow(command.path, registry).map((it) => it.path);
  return {
    description: command.description,
    ...(command.aliases && { aliases: [...command.aliases] }),
    danger_level: command.danger,
    required_scopes: [...(command.scopes ?? [])],
    flags: toFlags({ ...GLOBAL_FLAGS, ...describedFlags(command) }),
    exit_codes: toExitCodes(exitsOf(command), command.danger),
    output_schema: outputSchema(command.output),
    examples: [...command.examples],
    ...(subcommands.length > 0 && { subcommands }),
  };
}

/** JSON Schema draft-07, without constraints that hold for every value: agents pay for each token. */
export function outputSchema(output: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(output, {
    target: 'draft-7',
    override: ({ jsonSchema: it }) => {
      if (it.minimum === Number.MIN_SAFE_INTEGER) delete it.minimum;
      if (it.maximum === Number.MAX_SAFE_INTEGER) delete it.maximum;
      // a format is shorter than its pattern
      if (it.format !== undefined) delete it.pattern;
      if (isEqual(it.additionalProperties, {})) delete it.additionalProperties;
      if (isEqual(it.propertyNames, { type: 'string' })) delete it.propertyNames;
    },
  });
  return schema;
}

function isEqual(schema: unknown, other: object): boolean {
  return JSON.stringify(schema) === JSON.stringify(other);
}

/** The entries of groups that are not commands themselves; they list their commands. */
function groupsOf(registry: Registry): (readonly [string, CommandEntry])[] {
  return bareGroups(registry).map((group) => {
    const subcommands = commandsBelow(group, registry).map((it) => it.path);
    return [
      group,
      {
        description: `Commands: ${subcommands.map((it) => it.replaceAll('.', ' ')).join(', ')}`,
        danger_level: 'safe',
        required_scopes: [],
        flags: toFlags(GLOBAL_FLAGS),
        exit_codes: toExitCodes(ALWAYS, 'safe'),
        subcommands,
      },
    ];
  });
}

function toFlags(flags: Flags): CommandEntry['flags'] {
  return Object.fromEntries(
    Object.entries(flags).map(([name, spec]) => [
      name,
      {
        type: spec.type,
        required: spec.required ?? false,
        description: spec.description,
        ...('default' in spec && { default: spec.default }),
        ...('values' in spec && { enum_values: [...spec.values] }),
        ...(spec.short !== undefined && { short: spec.short }),
      },
    ]),
  );
}

function toExitCodes(names: readonly ExitName[], danger: Danger): CommandEntry['exit_codes'] {
  return Object.fromEntries(
    names.map((name) => {
      const { code, ...entry } = EXITS[name];
      // a command that only reads has no side effects, however it ends
      return [String(code), { name, ...entry, ...(danger === 'safe' && { side_effects: 'none' as const }) }];
    }),
  );
}
