import { describe, expect, test } from 'vitest';
import { findCommand, parseArguments } from '../../compiler/cli/arguments.ts';
import { COMMANDS, REGISTRY } from '../../compiler/cli/commands/index.ts';
import { registryFor } from '../../compiler/cli/commands/load.ts';
import type { Registry } from '../../compiler/cli/registry.ts';
import { VadeError } from '../../compiler/schema/errors.ts';

/** Outcome of a command line: its command with the arguments, or the code of the refusal. */
function outcomeOf(argv: readonly string[], registry: Registry): unknown {
  try {
    const { command, rest } = findCommand(argv, registry);
    return [command?.path, parseArguments(rest, command ?? { flags: {} }, false)];
  } catch (error) {
    return error instanceof VadeError ? [error.code, error.details] : error;
  }
}

describe('the commands that a command line may name', () => {
  test.each(['compile', 'lint', 'recall', 'hook'])('%s loads itself alone', async (name) => {
    const { commands } = await registryFor([name, '--quiet']);
    expect([...commands.keys()]).toEqual([name]);
    expect(commands.get(name)).toBe(COMMANDS.get(name));
  });

  test('the first word of each command loads every command that begins with it, and no other', async () => {
    for (const word of new Set([...COMMANDS.keys()].map((it) => it.split('.')[0] ?? ''))) {
      const { commands } = await registryFor([word]);
      const own = [...COMMANDS.keys()].filter((it) => it === word || it.startsWith(`${word}.`));
      expect([...commands.keys()]).toEqual(own);
    }
  });

  test.each([
    [[]],
    [['--quiet', 'recall']],
    [['help', 'recall']],
    [['recal']],
    [['toString']],
    [['migrate-instructions']],
  ])('%j loads every command', async (argv) => {
    expect([...(await registryFor(argv)).commands.keys()]).toEqual([...COMMANDS.keys()]);
  });

  test.each([
    ['recall'],
    ['recall --agent cto --intent now'],
    ['recall --agnt cto'],
    ['recall now --agent cto'],
    ['recall --agent cto --intent now --hint a --hint b --key x'],
    ['recall --agent --intent now'],
    ['lint --format json extra words'],
    ['lint --unknown'],
    ['lint recall'],
    ['compile --trust 1.json --key k.pem --dev --nothing=1'],
    ['compile probe suggest'],
    ['stub --agent cto --profile generic --quiet'],
    ['recall --help'],
    ['trust'],
    ['trust --help'],
    ['trust shw'],
    ['task rn --task x'],
    ['probe sugest'],
    ['key add --agent cto'],
    ['model pin builtin'],
  ])('`vade %s` comes to the same as among all commands', async (line) => {
    const argv = line.split(' ');
    expect(outcomeOf(argv, await registryFor(argv))).toEqual(outcomeOf(argv, REGISTRY));
  });
});
