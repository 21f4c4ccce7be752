import { describe, expect, test } from 'vitest';
import { findCommand, parseArguments } from '../../compiler/cli/arguments.ts';
import { COMMANDS, REGISTRY } from '../../compiler/cli/commands/index.ts';

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
