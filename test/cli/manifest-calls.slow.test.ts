import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMANDS, REGISTRY } from '../../compiler/cli/commands/index.ts';
import { buildManifest } from '../../compiler/cli/manifest.ts';
import { vadeProcess } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';

const manifest = buildManifest(REGISTRY, '0');

/** One process a command: what is imported only there, and what the process itself does, is tried too. */
describe('an agent that has read only the manifest', () => {
  /** Whether the description of a flag wants it: the first of some alternatives, or one in place of a trust root. */
  function isWanted(name: string, description: string): boolean {
    const [, first] = /give exactly one of --([a-z-]+)/.exec(description) ?? [];
    return first === name || description.includes('give it or --trust') || / this or --/.test(description);
  }

  /** A call of a command, made from its entry: the required flags, and one flag of each set of alternatives. */
  function callOf(path: string): string[] {
    const { flags, examples = [] } = manifest.commands[path]!;
    const shown = (name: string) =>
      examples
        .map(({ command }) => new RegExp(`--${name} (?:"([^"]+)"|([^ "]+))`).exec(command))
        .map((found) => found?.[1] ?? found?.[2])
        .find((it) => it !== undefined);
    const values: Record<string, string> = { string: 'x', integer: '1', number: '1', array: 'x' };
    const args = Object.entries(flags)
      .filter(([name, it]) => it.required || isWanted(name, it.description))
      .map(([name, it]) =>
        it.type === 'boolean'
          ? `--${name}`
          : `--${name}=${it.enum_values?.[0] ?? shown(name) ?? values[it.type] ?? ''}`,
      );
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
      const signs = manifest.commands[path]!.required_scopes.includes('bundle:sign');
      expect(readdirSync(join(folder, 'empty'))).toEqual(signs ? ['.vade'] : []);
    },
  );
});
