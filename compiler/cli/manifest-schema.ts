import { z } from 'zod';

const Flag = z.object({
  type: z.enum(['string', 'integer', 'number', 'boolean', 'array', 'enum']),
  required: z.boolean(),
  description: z.string(),
  default: z.unknown().optional(),
  enum_values: z.array(z.string()).optional(),
  short: z.string().length(1).optional(),
});

const Exit = z.object({
  name: z.string(),
  description: z.string(),
  /** True only if nothing was done. */
  retryable: z.boolean(),
  side_effects: z.enum(['none', 'partial', 'complete']),
});

/** The manifest's entry of one command or group. */
export const CommandEntry = z.object({
  description: z.string(),
  aliases: z.array(z.string()).optional(),
  danger_level: z.enum(['safe', 'mutating', 'destructive']),
  required_scopes: z.array(z.string()),
  flags: z.record(z.string(), Flag),
  exit_codes: z.record(z.string(), Exit),
  output_schema: z.looseObject({}).optional(),
  examples: z.array(z.object({ description: z.string(), command: z.string() })).optional(),
  subcommands: z.array(z.string()).optional(),
});

/** The description of the command line for agents (specification _ManifestResponse_). */
export const ManifestResponse = z.object({
  schema_version: z.literal('3.0'),
  framework_version: z.string(),
  /** `sha256:` of the canonical JSON of `commands`; independent of clock, folder and terminal. */
  etag: z.string(),
  commands: z.record(z.string(), CommandEntry),
});

export type CommandEntry = z.infer<typeof CommandEntry>;
export type ManifestResponse = z.infer<typeof ManifestResponse>;
