import { expect, test } from 'vitest';
import { parseArguments } from '../../../compiler/cli/arguments.ts';
import { GLOBAL_FLAGS } from '../../../compiler/cli/registry.ts';
import { VadeError } from '../../../compiler/schema/errors.ts';
import {
  DECISION,
  TASK_CLEAN,
  TASK_COMPOSE,
  TASK_EXPLAIN,
  TASK_LOG,
  TASK_REPLAY,
  TASK_RUN,
  TASK_SPAWN,
  TASK_VERIFY,
} from '../../../compiler/tasks/use-cases/flags.ts';
import type { Flags } from '../../../compiler/world/flags/flag.ts';

/** Variables that some words give a command, without those that every command has. */
function given(flags: Flags, ...words: readonly string[]): Record<string, unknown> {
  const all = Object.entries(parseArguments(words, { flags }));
  return Object.fromEntries(all.filter(([name]) => !Object.hasOwn(GLOBAL_FLAGS, name)));
}

/** How many of the words are wrong or missing. */
function problems(flags: Flags, ...words: readonly string[]): number {
  try {
    parseArguments(words, { flags });
    return 0;
  } catch (error) {
    if (error instanceof VadeError) return (error.details['faults'] as unknown[]).length;
    throw error;
  }
}

test('agents and tasks are named by ids, and a reason is one line', () => {
  for (const flags of [TASK_VERIFY, TASK_REPLAY]) expect(problems(flags, '--agent', '../a')).toBe(1);
  for (const flags of [TASK_CLEAN, TASK_LOG]) expect(problems(flags, '--agent', '../a')).toBe(1);
  for (const flags of [TASK_COMPOSE, TASK_SPAWN, TASK_RUN]) expect(problems(flags, '--task', 'a/b')).toBe(1);
  for (const flags of [DECISION, TASK_EXPLAIN]) {
    expect(problems(flags, '--agent', '../a', '--reason', 'r')).toBe(1);
    expect(problems(flags, '--agent', 'a', '--reason', 'a\nb')).toBe(1);
  }
});

test('words for the program and variables to pass on may be repeated', () => {
  const words = ['--argument=-p', '--argument=x', '--pass', 'A', '--pass', 'B'];
  expect(given(TASK_RUN, '--task', 'mend', ...words)).toMatchObject({ argument: ['-p', 'x'], pass: ['A', 'B'] });
});
