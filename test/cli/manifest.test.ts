import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { findCommand, parseArguments } from '../../compiler/cli/arguments.ts';
import { COMMANDS, REGISTRY } from '../../compiler/cli/commands/index.ts';
import { EXITS, exitsOf } from '../../compiler/cli/exit.ts';
import { helpFor } from '../../compiler/cli/help.ts';
import type { ManifestResponse } from '../../compiler/cli/manifest-schema.ts';
import { buildManifest } from '../../compiler/cli/manifest.ts';
import { closeRegistry, defineCommand, describedFlags, GLOBAL_FLAGS } from '../../compiler/cli/registry.ts';
import { countTokens } from '../../compiler/io/models/tokens.ts';
import { vade, vadeProcess } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';

/** The strict shape of ManifestResponse by the specification. */
const Flag = z.strictObject({
  type: z.enum(['string', 'integer', 'number', 'boolean', 'array', 'enum']),
  required: z.boolean(),
  description: z.string().min(1),
  default: z.union([z.string(), z.number()]).optional(),
  enum_values: z.array(z.string()).min(1).optional(),
  short: z.string().length(1).optional(),
});
const Entry = z.strictObject({
  description: z.string().min(1),
  aliases: z.array(z.string()).optional(),
  danger_level: z.enum(['safe', 'mutating', 'destructive']),
  required_scopes: z.array(z.string()),
  flags: z.record(z.string(), Flag),
  exit_codes: z.record(
    z.string().regex(/^\d+$/),
    z.strictObject({
      name: z.string(),
      description: z.string().min(1).max(120),
      retryable: z.boolean(),
      side_effects: z.enum(['none', 'partial', 'complete']),
    }),
  ),
  output_schema: z.record(z.string(), z.unknown()).optional(),
  examples: z.array(z.strictObject({ description: z.string(), command: z.string() })).optional(),
  subcommands: z.array(z.string()).optional(),
});
const Response = z.strictObject({
  schema_version: z.literal('3.0'),
  framework_version: z.string(),
  etag: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  commands: z.record(z.string(), Entry),
});

let manifest: ManifestResponse;

beforeAll(async () => {
  const ran = await vade(['manifest'], tempFolder());
  expect(ran.code).toBe(0);
  manifest = ran.envelope().data as unknown as ManifestResponse;
});

describe('ManifestResponse', () => {
  test('the manifest is valid by the specification', () => {
    expect(Response.safeParse(manifest).error).toBeUndefined();
  });

  test('the manifest has every registered command, itself included, and every group with its commands', () => {
    const groups = Object.entries(manifest.commands).filter(([, it]) => it.subcommands);
    const isLeaf = (path: string) => manifest.commands[path]?.output_schema !== undefined;
    const leaves = Object.keys(manifest.commands).filter(isLeaf);
    expect(Object.keys(manifest.commands)).toContain('help');
    expect(leaves).toEqual([...COMMANDS.keys()].sort());
    expect(leaves).toContain('manifest');
    for (const [group, { subcommands = [] }] of groups)
      expect(subcommands).toEqual(leaves.filter((path) => path.startsWith(`${group}.`)));
    const above = leaves.flatMap((path) => (path.includes('.') ? [path.split('.')[0]] : []));
    expect(groups.map(([group]) => group).sort()).toEqual([...new Set(above)].sort());
  });

  test('a flag says which other flags it stands beside: exactly one of a set, or --trust or --dev', () => {
    const { agent, admin, reader } = manifest.commands['key.create']!.flags;
    for (const flag of [agent, admin, reader])
      expect(flag?.description).toContain('give exactly one of --agent, --admin, --reader');
    const { trust, dev } = manifest.commands['verify']!.flags;
    expect([trust?.description, dev?.description]).toEqual([
      expect.stringContaining('give it or --dev'),
      expect.stringContaining('give it or --trust'),
    ]);
  });

  test('the flag that a word without a name gives says that its name may be left out', () => {
    for (const { path, operand = '' } of [...COMMANDS.values()].filter((it) => it.operand !== undefined))
      expect(manifest.commands[path]?.flags[operand]?.description).toContain('its name may be left out');
    expect(manifest.commands['lint']?.flags['source']?.description).not.toContain('left out');
  });

  test('a flag’s description names flags of its own command or of one that it names, and says nothing twice', () => {
    for (const { path, flags } of [...COMMANDS.values()].map((it) => ({ ...it, flags: describedFlags(it) }))) {
      for (const { description } of Object.values(flags)) {
        const parts = description.split('; ');
        expect([path, parts]).toEqual([path, [...new Set(parts)]]);
        const named = [...description.matchAll(/(?<!vade [a-z ]+)--([a-z][a-z-]*)/g)].map(([, name = '']) => name);
        expect([path, named.filter((name) => !(name in flags))]).toEqual([path, []]);
      }
    }
  });

  test('the output schemas omit what is true of every integer or object', () => {
    const schemas = JSON.stringify(Object.values(manifest.commands).map((it) => it.output_schema));
    expect(schemas).not.toContain(String(Number.MAX_SAFE_INTEGER));
    expect(schemas).not.toContain('"additionalProperties":{}');
    expect(schemas).toContain('"minimum":0');
  });

  test('every command of the manifest has the global flags', () => {
    for (const { flags } of Object.values(manifest.commands))
      expect(Object.keys(flags)).toEqual(expect.arrayContaining(Object.keys(GLOBAL_FLAGS)));
  });

  test('the exit codes of the manifest are those of the commands, and retryable only without side effects', () => {
    for (const command of COMMANDS.values()) {
      const exits = manifest.commands[command.path]?.exit_codes ?? {};
      expect(Object.keys(exits).map(Number)).toEqual(exitsOf(command).map((name) => EXITS[name].code));
      for (const it of Object.values(exits)) expect(it.retryable && it.side_effects !== 'none').toBe(false);
    }
  });

  test('the manifest costs fewer than 750 tokens per command', () => {
    const commands = Object.keys(manifest.commands).length;
    expect(countTokens(JSON.stringify(manifest)) / commands).toBeLessThan(750);
  });
});

describe('the etag', () => {
  const extra = defineCommand({
    path: 'zzz',
    description: 'One more',
    danger: 'safe',
    flags: {},
    exits: [],
    output: z.object({}),
    examples: [],
    run: () => Promise.resolve({ data: {}, text: '' }),
  });
  const etagOf = (registry: typeof REGISTRY) => buildManifest(registry, '0').etag;

  test('the etag changes with an additional command, and not with the order of registration', () => {
    const all = [...COMMANDS.values()];
    const again = (commands: typeof all) =>
      closeRegistry(
        commands.map((it) => ({ ...it })),
        {},
      );
    expect(etagOf(again([...all, extra]))).not.toBe(etagOf(REGISTRY));
    expect(etagOf(again(all.reverse()))).toBe(etagOf(REGISTRY));
  });

  test('the manifest is the same in any folder, time zone and locale', async () => {
    const settings = { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8' };
    const elsewhere = await vadeProcess(['manifest'], tempFolder(), settings);
    expect(elsewhere.envelope().data).toEqual(manifest);
  });

  test('a current etag returns no data and not_modified', async () => {
    const ran = await vade(['manifest', '--etag', manifest.etag], tempFolder());
    const { ok, data, meta } = ran.envelope();
    expect([ran.code, ok, data, meta['not_modified']]).toEqual([0, true, null, true]);
    const old = await vade(['manifest', '--etag', 'sha256:old'], tempFolder());
    expect(old.envelope().data['etag']).toBe(manifest.etag);
  });

  test('two commands with one name are refused', () => {
    expect(() => closeRegistry([extra, { ...extra }], {})).toThrow(TypeError);
  });
});

describe('help, commands and manifest', () => {
  test('help and manifest name the same flags', () => {
    for (const command of COMMANDS.values()) {
      const help = helpFor(command, REGISTRY);
      const helped = [...help.matchAll(/--([a-z][a-z-]*)/g)].map((it) => it[1] ?? '');
      const flags = Object.keys(manifest.commands[command.path]?.flags ?? {});
      for (const flag of flags) expect(help).toContain(`--${flag}`);
      const flagsSection = help.slice(help.indexOf('Flags:'), help.indexOf('Examples:'));
      const listed = [...flagsSection.matchAll(/^ {2}(?:-\w, | {4})--([a-z][a-z-]*)/gm)].map((it) => it[1] ?? '');
      expect(listed.sort()).toEqual(flags.sort());
      expect(helped.length).toBeGreaterThan(0);
    }
  });

  test('--schema prints the manifest’s entry of a command', async () => {
    for (const path of ['key.list', 'probe', 'probe.suggest']) {
      const ran = await vade([...path.split('.'), '--schema'], tempFolder());
      expect(ran.envelope().data).toEqual(manifest.commands[path]);
    }
  });

  test('the help of a command that is also a group lists its subcommands', () => {
    expect(helpFor(COMMANDS.get('probe')!, REGISTRY)).toMatch(/^Commands:\n {2}probe suggest {2}\S/m);
    expect(helpFor(COMMANDS.get('recall')!, REGISTRY)).not.toContain('Commands:');
  });
});

describe('examples', () => {
  test.each([...COMMANDS.values()].flatMap((it) => it.examples.map(({ command }) => [command, it] as const)))(
    'the example “%s” is a valid call',
    (line, command) => {
      const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((it) => it[1] ?? it[2] ?? '');
      const called = findCommand(words.slice(1), REGISTRY);
      expect(called.command).toBe(command);
      expect(() => parseArguments(called.rest, command)).not.toThrow();
    },
  );
});
