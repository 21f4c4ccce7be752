import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findCommand, parseArguments } from '../../compiler/cli/arguments.ts';
import { COMMANDS, REGISTRY } from '../../compiler/cli/commands/index.ts';
import { buildManifest } from '../../compiler/cli/manifest.ts';
import { vadeProcess } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';

const manifest = buildManifest(REGISTRY, '0');

describe('an agent that has read only the manifest', () => {
  /** A call of a command, made from its entry: the required flags, and one flag of each set of alternatives. */
  function callOf(path: string): string[] {
    const { flags } = manifest.commands[path]!;
    const values: Record<string, string> = { string: 'x', integer: '1', number: '1', array: 'x' };
    const args = Object.entries(flags)
      .filter(([, it]) => it.required || / this or --/.test(it.description))
      .map(([name, it]) => `--${name}=${it.enum_values?.[0] ?? values[it.type] ?? ''}`);
    return [...path.split('.'), ...args, ...('dry-run' in flags ? ['--dry-run'] : [])];
  }

  test.each([...COMMANDS.keys()])(
    'an agent that has read only the manifest calls %s with valid arguments',
    async (path) => {
      const folder = tempFolder();
      mkdirSync(join(folder, 'empty'));
      const ran = await vadeProcess(callOf(path), join(folder, 'empty'));
      const codes = Object.keys(manifest.commands[path]!.exit_codes).map(Number);
      expect(codes).toContain(ran.code);
      expect(ran.code, ran.stdout).not.toBe(3);
      expect(readdirSync(join(folder, 'empty'))).toEqual([]);
    },
  );
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
