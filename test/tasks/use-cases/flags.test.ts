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
  TASK_WORKTREE,
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

const NONE = undefined;
const DRY = { 'dry-run': false };
const BUNDLE = { repo: '.', bundle: 'bundle', trust: NONE, dev: false };
const CHECKING = { seconds: 1800, sandbox: 'auto' };
const SPAWN = { task: 'mend', ...BUNDLE, base: 'HEAD', worktrees: NONE, key: NONE, ...DRY };

test.each<[string, Flags, readonly string[], object]>([
  ['compose', TASK_COMPOSE, ['--task', 'mend'], { task: 'mend', ...BUNDLE, ...DRY }],
  ['spawn', TASK_SPAWN, ['--task', 'mend'], SPAWN],
  [
    'run',
    TASK_RUN,
    ['--task', 'mend'],
    {
      ...SPAWN,
      ...CHECKING,
      ...{ program: 'claude', argument: [], pass: [], confine: 'auto', network: 'host', timeout: 60 },
    },
  ],
  ['bypass', DECISION, ['--agent', 'a', '--reason', 'r'], { repo: '.', agent: 'a', reason: 'r', key: NONE, ...DRY }],
  [
    'clean',
    TASK_CLEAN,
    [],
    { repo: '.', agent: NONE, all: false, main: 'HEAD', discard: false, yes: false, key: NONE, ...DRY },
  ],
  ['log', TASK_LOG, [], { repo: '.', agent: NONE, orchestrator: NONE, limit: 20 }],
  ['worktree', TASK_WORKTREE, ['--tasks', '/t', '--orchestrator', 'k'], { tasks: '/t', orchestrator: 'k', ...DRY }],
  [
    'verify',
    TASK_VERIFY,
    ['--agent', 'a'],
    { repo: '.', agent: 'a', report: NONE, ...CHECKING, key: NONE, trust: NONE, dev: false, ...DRY },
  ],
  ['replay', TASK_REPLAY, ['--agent', 'a'], { repo: '.', agent: 'a', ...CHECKING, key: NONE }],
  [
    'explain',
    TASK_EXPLAIN,
    ['--agent', 'a', '--reason', 'r'],
    { repo: '.', agent: 'a', reason: 'r', key: NONE, ...DRY },
  ],
])('vade task %s is given these values where a person names only what is needed', (_, flags, words, wanted) => {
  expect(given(flags, ...words)).toEqual(wanted);
  expect(problems(flags)).toBe(words.length / 2);
});

test.each<[string, Flags, readonly string[], string, readonly [number, number]]>([
  ['run', TASK_RUN, ['--task', 'mend'], 'timeout', [1, 1440]],
  ['run', TASK_RUN, ['--task', 'mend'], 'seconds', [1, 86_400]],
  ['verify', TASK_VERIFY, ['--agent', 'a'], 'seconds', [1, 86_400]],
  ['log', TASK_LOG, [], 'limit', [1, 10_000]],
])('vade task %s takes no number outside of its limits', (_, flags, words, name, [least, most]) => {
  const of = (value: number) => problems(flags, ...words, `--${name}`, String(value));
  expect([least - 1, least, most, most + 1].map(of)).toEqual([1, 0, 0, 1]);
});

test.each<[string, readonly string[]]>([
  ['confine', ['auto', 'required', 'none']],
  ['network', ['host', 'none']],
  ['sandbox', ['auto', 'required', 'bwrap', 'unshare', 'none']],
])('a run takes these words for --%s, and no other', (name, words) => {
  const of = (value: string) => problems(TASK_RUN, '--task', 'mend', `--${name}`, value);
  expect([...words, 'mutated', ''].map(of)).toEqual([...words.map(() => 0), 1, 1]);
});

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
