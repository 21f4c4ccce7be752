import { describe, expect, test } from 'vitest';
import { findCommand, parseArguments } from '../../compiler/cli/arguments.ts';
import { COMMANDS, REGISTRY } from '../../compiler/cli/commands/index.ts';
import { endsSoon, neededRegistry } from '../../compiler/cli/commands/needed-registry.ts';
import type { Registry } from '../../compiler/cli/registry.ts';
import { VadeError } from '../../compiler/schema/errors.ts';

const OFTEN = ['compile', 'lint', 'recall', 'stub'];

/** What a command line comes to: its command with the arguments, or the code of the refusal. */
function outcomeOf(argv: readonly string[], registry: Registry): unknown {
  try {
    const { command, rest } = findCommand(argv, registry);
    return [command?.path, parseArguments(rest, command ?? { flags: {} }, false)];
  } catch (error) {
    return error instanceof VadeError ? [error.code, error.details] : error;
  }
}

describe('the commands that a command line needs', () => {
  test.each(OFTEN)('%s loads itself alone, and no command is below it', async (name) => {
    const { commands } = await neededRegistry([name, '--quiet']);
    expect([...commands.keys()]).toEqual([name]);
    expect(commands.get(name)).toBe(COMMANDS.get(name));
    expect([...COMMANDS.keys()].filter((it) => it.startsWith(`${name}.`))).toEqual([]);
  });

  test('no command that runs until a signal is among those that end soon', () => {
    const servers = [...COMMANDS.values()].filter((it) => it.runsUntilSignal).map((it) => it.path);
    expect(servers).toContain('serve');
    expect([...OFTEN, ...servers, '', 'toString'].filter((it) => endsSoon([it]))).toEqual(OFTEN);
  });

  test.each([
    [[]],
    [['--quiet', 'recall']],
    [['recall', '--help']],
    [['lint', '-h']],
    [['compile', '--schema']],
    [['help', 'recall']],
    [['recal']],
    [['toString']],
    [['verify']],
  ])('%j loads every command', async (argv) => {
    expect(await neededRegistry(argv)).toBe(REGISTRY);
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
  ])('`vade %s` comes to the same as among all commands', async (line) => {
    const argv = line.split(' ');
    expect(outcomeOf(argv, await neededRegistry(argv))).toEqual(outcomeOf(argv, REGISTRY));
  });
});
